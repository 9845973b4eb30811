import { eq } from 'drizzle-orm';
import { beforeEach, describe, expect, test } from 'vitest';
import { advanceEngineClock } from '../../../test/books/engine-clock.ts';
import { call, useTestApp } from '../../../test/build-test-app.ts';
import { askEmailChange, confirmNewEmail } from '../../../test/factories/email-changes.ts';
import { makeUser, signInUser, startSessionOf, TEST_PASSWORD } from '../../../test/factories/users.ts';
import { mailsTo, newestLink } from '../../../test/mail/mailbox.ts';
import { session } from '../../db/schema/people.ts';
import { countFailedSignIn, signInGuards } from '../auth/passwords/guessing-limits.ts';
import { issueAccessToken } from '../auth/sessions/access-tokens.ts';

const portal = useTestApp({ TRUST_PROXY: '1' });
const db = () => portal.deps.db.query;
const DAY_SECONDS = 86_400;
const NEW_PASSWORD = 'another long enough sentence';
const START = portal.now;

beforeEach(async () => {
  portal.now = START;
  await db().execute('DELETE FROM limit_counter');
});

const get = (path: string, token: string) => call(portal, 'GET', path, { token });
const changePassword = (token: string, password: string, newPassword = NEW_PASSWORD) =>
  call(portal, 'POST', '/user/password', { token, body: { password, newPassword } });

describe('the account', () => {
  test('is shown to its owner only', async () => {
    const user = await signInUser(portal);
    await signInUser(portal);
    expect((await get('/user/account', user.token)).json()).toEqual({
      id: user.userId,
      email: user.email,
      firstName: 'Robin',
      lastName: 'Example',
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
      pendingEmail: null,
      undoUntil: null,
      previousEmail: null,
    });
  });

  test('accepts other names', async () => {
    const user = await signInUser(portal);
    const body = { firstName: ' Zoë ', lastName: "O'Brien" };
    const saved = await call(portal, 'PUT', '/user/account', { token: user.token, body });
    expect(saved.statusCode).toBe(204);
    expect((await get('/user', user.token)).json()).toMatchObject({ firstName: 'Zoë', lastName: "O'Brien" });
  });

  test.each([
    ['no first name', { lastName: 'Ruiz' }],
    ['an empty last name', { firstName: 'Ana', lastName: ' ' }],
    ['a card number for a name', { firstName: '4111 1111 1111 1111', lastName: 'Ruiz' }],
    ['an unknown field', { firstName: 'Ana', lastName: 'Ruiz', email: 'ana@example.com' }],
  ])('refuses %s', async (_what, body) => {
    const user = await signInUser(portal);
    const refused = await call(portal, 'PUT', '/user/account', { token: user.token, body });
    expect(refused.statusCode).toBe(400);
  });
});

describe('a new password', () => {
  test('ends the other sessions, spends reset links, cancels a change of address, and is announced by mail', async () => {
    const user = await signInUser(portal);
    const other = await startSessionOf(portal.deps, user);
    await call(portal, 'POST', `/user/resetpassword?email=${user.email}`);
    const reset = await newestLink(portal, user.email);
    const newEmail = `new-${user.email}`;
    await askEmailChange(portal, user, newEmail);

    expect((await changePassword(user.token, TEST_PASSWORD)).statusCode).toBe(204);

    expect((await get('/user', user.token)).statusCode).toBe(200);
    expect((await get('/user', other.accessToken)).statusCode).toBe(401);
    expect((await signIn(user.email, TEST_PASSWORD)).statusCode).toBe(401);
    expect((await signIn(user.email, NEW_PASSWORD)).statusCode).toBe(200);
    const spent = await call(portal, 'POST', '/user/confirmresetpassword', {
      body: { email: user.email, passwordToken: reset.token, password: 'yet another sentence' },
    });
    expect(spent.statusCode).toBe(400);
    expect((await confirmNewEmail(portal, newEmail)).statusCode).toBe(400);
    const [mail] = await mailsTo(portal, user.email);
    expect(mail).toMatchObject({
      kind: 'password-changed',
      content: { subject: 'Your password was changed' },
    });
    expect(mail?.content.text).toContain('https://pay.example.com/mail/password');
  });

  test('by a reset cancels a change of address too', async () => {
    const user = await signInUser(portal);
    const newEmail = `new-${user.email}`;
    await askEmailChange(portal, user, newEmail);
    await call(portal, 'POST', `/user/resetpassword?email=${user.email}`);
    const { token } = await newestLink(portal, user.email);
    const body = { email: user.email, passwordToken: token, password: NEW_PASSWORD };
    expect((await call(portal, 'POST', '/user/confirmresetpassword', { body })).statusCode).toBe(204);
    expect((await confirmNewEmail(portal, newEmail)).statusCode).toBe(400);
  });

  test.each([
    [
      'the one before',
      TEST_PASSWORD,
      'PasswordUnchanged',
      'Please choose another password than your current one.',
    ],
    ['a short one', 'short', 'PasswordTooShort', 'Please use at least 8 characters.'],
    [
      'a common one',
      'password1',
      'PasswordTooCommon',
      'This password is too easy to guess. Please choose another one.',
    ],
    [
      'one of 129 characters',
      'ab'.repeat(64).concat('c'),
      'PasswordTooLong',
      'Please use at most 128 characters.',
    ],
  ])('is not %s', async (_what, newPassword, code, description) => {
    const user = await signInUser(portal);
    const refused = await changePassword(user.token, TEST_PASSWORD, newPassword);
    expect(refused.json()).toMatchObject({
      status: 400,
      errors: [{ code, field: 'newPassword', description }],
    });
  });

  test('only one of two concurrent changes succeeds', async () => {
    const user = await signInUser(portal);
    const answers = await Promise.all(
      ['first new sentence', 'second new sentence'].map((each) =>
        changePassword(user.token, TEST_PASSWORD, each),
      ),
    );
    expect(answers.map(({ statusCode }) => statusCode).toSorted()).toEqual([204, 400]);
  });
});

const signIn = (email: string, password: string, headers: Record<string, string> = {}) =>
  call(portal, 'POST', '/authentication/login', { body: { email, password }, headers });

describe('guessing the current password', () => {
  test('waits like guessing at the sign-in, and counts there', async () => {
    const user = await signInUser(portal);
    for (let guess = 0; guess < 5; guess++) {
      expect((await changePassword(user.token, 'wrong')).json()).toMatchObject({
        status: 400,
        errors: [
          { code: 'PasswordMismatch', field: 'password', description: 'This is not your current password.' },
        ],
      });
    }
    expect((await changePassword(user.token, TEST_PASSWORD)).statusCode).toBe(429);
    expect((await signIn(user.email, TEST_PASSWORD)).statusCode).toBe(429);
  });

  test('by strangers elsewhere keeps nobody who is signed in from the account, but strangers from signing in', async () => {
    const user = await signInUser(portal);
    for (let stranger = 0; stranger < 100; stranger++) {
      const guards = signInGuards({ email: user.email, ip: `10.6.0.${stranger}` }, { isOwners: false });
      await countFailedSignIn(portal.deps, guards);
    }
    const headers = { 'x-forwarded-for': '10.7.0.1' };
    expect((await signIn(user.email, TEST_PASSWORD, headers)).statusCode).toBe(429);
    const body = { password: TEST_PASSWORD, newPassword: NEW_PASSWORD };
    const changed = await call(portal, 'POST', '/user/password', { token: user.token, body, headers });
    expect(changed.statusCode, changed.body).toBe(204);
  });

  test('ends the session after ten guesses in a day, even with a right one in between, and no other session', async () => {
    const user = await signInUser(portal);
    const other = await startSessionOf(portal.deps, user);
    const guess = async (password: string) => {
      // Step past the wait caused by the last guess; a token lives longer than that.
      portal.now = new Date(portal.now.getTime() + 61_000);
      return askEmailChange(portal, { token: tokenOf() }, `new-${user.email}`, password);
    };
    const tokenOf = () =>
      issueAccessToken(portal.deps, { userId: user.userId, sessionId: sidOf(user.token) });
    for (let wrong = 0; wrong < 10; wrong++) {
      expect((await guess('wrong')).statusCode).toBe(400);
      if (wrong === 4) expect((await guess(TEST_PASSWORD)).statusCode).toBe(204);
    }
    expect((await guess(TEST_PASSWORD)).statusCode).toBe(401);
    const [mine] = await db()
      .select()
      .from(session)
      .where(eq(session.id, sidOf(user.token)));
    const [theirs] = await db()
      .select()
      .from(session)
      .where(eq(session.id, sidOf(other.accessToken)));
    expect([mine?.endedAt, theirs?.endedAt]).toEqual([expect.any(Date), null]);
  });
});

const sidOf = (token: string): string =>
  JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()).sid;

describe('sessions', () => {
  const CHROME = {
    'user-agent': 'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 Chrome/131.0 Mobile Safari/537.36',
  };

  test('are listed with words for the device, most recently used first', async () => {
    const user = await signInUser(portal);
    await advanceEngineClock(portal.deps, 60);
    const { accessToken } = (await signIn(user.email, TEST_PASSWORD, CHROME)).json();
    const listed = (await get('/user/sessions', accessToken)).json();
    const times = { signedInAt: expect.any(String), lastUsedAt: expect.any(String) };
    expect(listed).toEqual([
      { sessionId: sidOf(accessToken), device: 'Chrome on Android', current: true, ...times },
      { sessionId: sidOf(user.token), device: 'Firefox on Linux', current: false, ...times },
    ]);
    expect(Date.parse(listed[0].lastUsedAt) - Date.parse(listed[1].lastUsedAt)).toBeGreaterThanOrEqual(
      60_000,
    );
  });

  test('end one by one, also the one that asks', async () => {
    const user = await signInUser(portal);
    const other = await startSessionOf(portal.deps, user);
    const end = (token: string) =>
      call(portal, 'DELETE', `/user/sessions/${sidOf(token)}`, { token: user.token });
    expect((await end(other.accessToken)).statusCode).toBe(204);
    expect((await get('/user', other.accessToken)).statusCode).toBe(401);
    expect((await end(other.accessToken)).statusCode).toBe(404);
    expect((await end(user.token)).statusCode).toBe(204);
    expect((await get('/user', user.token)).statusCode).toBe(401);
  });

  test('of somebody else are not found', async () => {
    const [user, other] = [await signInUser(portal), await signInUser(portal)];
    for (const id of [sidOf(other.token), '00000000-0000-4000-8000-000000000000', 'none']) {
      const refused = await call(portal, 'DELETE', `/user/sessions/${id}`, { token: user.token });
      expect([refused.statusCode, refused.json().detail]).toEqual([404, 'There is no such session.']);
    }
    expect((await get('/user', other.token)).statusCode).toBe(200);
  });

  test('end all except the current one, and say how many', async () => {
    const user = await signInUser(portal);
    const others = [await startSessionOf(portal.deps, user), await startSessionOf(portal.deps, user)];
    const ended = await call(portal, 'DELETE', '/user/sessions', { token: user.token });
    expect([ended.statusCode, ended.json()]).toEqual([200, { ended: 2 }]);
    for (const { accessToken } of others) expect((await get('/user', accessToken)).statusCode).toBe(401);
    expect((await get('/user/sessions', user.token)).json()).toHaveLength(1);
  });

  test('idle for a week or expired are not listed', async () => {
    const user = await signInUser(portal);
    await advanceEngineClock(portal.deps, 7 * DAY_SECONDS + 60);
    const fresh = await startSessionOf(portal.deps, user);
    expect((await get('/user/sessions', fresh.accessToken)).json()).toMatchObject([{ current: true }]);
  });

  test('store nothing else of the browser’s user agent', async () => {
    const { email, userId } = await makeUser(portal);
    await signIn(email, TEST_PASSWORD, { 'user-agent': 'Wget/1.21 (mars)' });
    const rows = await db().select().from(session).where(eq(session.userId, userId));
    expect(JSON.stringify(rows)).not.toContain('mars');
    expect(rows[0]?.device).toBe('Unknown browser');
  });
});

test('a signed-out visitor gets none of it', async () => {
  const calls = [
    ['GET', '/user/account'],
    ['PUT', '/user/account'],
    ['POST', '/user/email'],
    ['DELETE', '/user/email'],
    ['POST', '/user/password'],
    ['GET', '/user/sessions'],
    ['DELETE', '/user/sessions'],
    ['DELETE', '/user/sessions/1'],
    ['POST', '/user/close'],
  ] as const;
  for (const [method, path] of calls) {
    expect((await call(portal, method, path)).statusCode, path).toBe(401);
  }
});
