import { and, eq, isNull, sql } from 'drizzle-orm';
import { beforeEach, describe, expect, test } from 'vitest';
import { call, TEST_SECRETS, useTestApp } from '../../../../test/build-test-app.ts';
import { makeInvoice, nextNumber } from '../../../../test/factories/invoices.ts';
import { makeUser, signInUser, TEST_PASSWORD } from '../../../../test/factories/users.ts';
import { useUpMails } from '../../../../test/limits/crowded-address.ts';
import { mailsTo, newestLink } from '../../../../test/mail/mailbox.ts';
import { customer } from '../../../db/schema/franchises.ts';
import { appUser, invitation, mailRequest, mailToken, userCustomer } from '../../../db/schema/people.ts';
import { answerMailRequests } from './answer-mail-requests.ts';
import { takeMailRequest } from './mail-requests.queries.ts';

const portal = useTestApp({ TRUST_PROXY: '1' });
const START = new Date('2026-11-15T18:00:00Z');
const after = (seconds: number) => {
  portal.now = new Date(START.getTime() + seconds * 1000);
};

let sequence = 0;
const freshAddress = () => `10.3.${Math.floor(++sequence / 250)}.${(sequence % 250) + 1}`;
const freshEmail = () => `person${nextNumber()}@example.com`;

beforeEach(() => after(0));

const NEW_PASSWORD = 'a new one for the same windows';

const post = (path: string, body?: unknown, from = freshAddress()) =>
  call(portal, 'POST', path, { body, headers: { 'x-forwarded-for': from } });
const signIn = (email: string, password: string) => post('/authentication/login', { email, password });

type Purpose = 'confirm' | 'reset' | 'invitation';
type Sent = { email: string; token: string };

/** Sends a link of each purpose through the real call. */
const SENT: Record<Purpose, () => Promise<Sent>> = {
  confirm: async () => {
    const email = freshEmail();
    await post('/user/register', {
      email,
      firstName: 'A',
      lastName: 'B',
      password: TEST_PASSWORD,
      userType: 2,
    });
    return newestLink(portal, email);
  },
  reset: async () => {
    const { email } = await makeUser(portal);
    await post(`/user/resetpassword?email=${encodeURIComponent(email)}`);
    return newestLink(portal, email);
  },
  invitation: async () => {
    const email = freshEmail();
    await invite(email);
    return newestLink(portal, email);
  },
};

/** Spends a link through the call for its purpose. */
const SPEND: Record<Purpose, (given: Sent, from?: string) => ReturnType<typeof post>> = {
  confirm: ({ email, token }, from) => post('/user/confirm', { email, token }, from),
  reset: ({ email, token }, from) =>
    post('/user/confirmresetpassword', { email, passwordToken: token, password: NEW_PASSWORD }, from),
  invitation: ({ email, token }, from) =>
    post(
      '/user/acceptinvite',
      { email, passwordToken: token, firstName: 'A', lastName: 'B', password: NEW_PASSWORD },
      from,
    ),
};

const PURPOSES: Purpose[] = ['confirm', 'reset', 'invitation'];
const LIFETIMES: Record<Purpose, number> = { confirm: 24 * 3600, reset: 3600, invitation: 14 * 86_400 };

async function invite(
  email: string,
): Promise<{ franchiseId: number; customerId: number; customerNumber: number }> {
  const { franchiseId, customerId } = await makeInvoice(portal.deps.db.query);
  const [row] = await portal.deps.db.query.select().from(customer).where(eq(customer.id, customerId));
  const customerNumber = row?.number ?? 0;
  const answer = await inviteBy({ franchiseId, customerNumber, email });
  expect(answer.statusCode).toBe(201);
  return { franchiseId, customerId, customerNumber };
}

const inviteBy = (payload: object, key: string = TEST_SECRETS.officeApiKey) =>
  portal.app.inject({
    method: 'POST',
    url: '/api/office/invitations',
    headers: { authorization: `Bearer ${key}` },
    payload,
  });

const INVALID = {
  title: 'Bad Request',
  status: 400,
  detail: 'This link is not valid any more.',
  errors: [{ code: 'InvalidToken', description: 'This link is not valid any more.' }],
};

describe.each(PURPOSES)('a mail token to %s', (purpose) => {
  test('works once', async () => {
    const sent = await SENT[purpose]();
    expect((await SPEND[purpose](sent)).statusCode).toBe(204);
    const again = await SPEND[purpose](sent);
    expect(again.statusCode).toBe(400);
    expect(again.json()).toEqual(INVALID);
  });

  test('works once, also when it is used five times at the same moment', async () => {
    const sent = await SENT[purpose]();
    const answers = await Promise.all(Array.from({ length: 5 }, () => SPEND[purpose](sent)));
    expect(answers.map((answer) => answer.statusCode).toSorted()).toEqual([204, 400, 400, 400, 400]);
  });

  test('works for the address in capitals and with spaces', async () => {
    const sent = await SENT[purpose]();
    expect((await SPEND[purpose]({ ...sent, email: ` ${sent.email.toUpperCase()} ` })).statusCode).toBe(204);
  });

  test('is spent only by POST', async () => {
    const sent = await SENT[purpose]();
    const { url } = await newestLink(portal, sent.email);
    for (const method of ['GET', 'HEAD', 'OPTIONS'] as const) {
      await portal.app.inject({ method, url: `${url.pathname}${url.search}` });
      await portal.app.inject({ method, url: `/api/user${url.pathname}${url.search}` });
    }
    expect((await SPEND[purpose](sent)).statusCode).toBe(204);
  });

  test.each<[string, (sent: Sent) => Sent | Promise<Sent>]>([
    ['for another address', (sent) => ({ ...sent, email: 'somebody.else@example.com' })],
    [
      "for another person's address",
      async (sent) => ({ ...sent, email: (await makeUser(portal, { emailConfirmedAt: null })).email }),
    ],
    ['with one bit changed', (sent) => ({ ...sent, token: flipped(sent.token) })],
    ['with a character in another case', (sent) => ({ ...sent, token: otherCase(sent.token) })],
    ['cut short', (sent) => ({ ...sent, token: sent.token.slice(0, -1) })],
    ['with something behind it', (sent) => ({ ...sent, token: `${sent.token}A` })],
    ['with a space behind it', (sent) => ({ ...sent, token: `${sent.token} ` })],
    ['empty', (sent) => ({ ...sent, token: '' })],
    ['with a NUL in it', (sent) => ({ ...sent, token: `\u0000${sent.token}` })],
  ])('%s does not work, and stays good for its owner', async (_what, change) => {
    const sent = await SENT[purpose]();
    const answer = await SPEND[purpose](await change(sent));
    expect(answer.statusCode).toBe(400);
    expect(answer.json()).toEqual(INVALID);
    expect((await SPEND[purpose](sent)).statusCode).toBe(204);
  });

  test.each(PURPOSES.filter((other) => other !== purpose))('does not %s', async (other) => {
    const sent = await SENT[purpose]();
    expect((await SPEND[other](sent)).json()).toEqual(INVALID);
    expect((await SPEND[purpose](sent)).statusCode).toBe(204);
  });

  test('is good to its last second and not longer', async () => {
    const sent = [await SENT[purpose](), await SENT[purpose]()] as const;
    after(LIFETIMES[purpose] - 1);
    expect((await SPEND[purpose](sent[0])).statusCode).toBe(204);
    after(LIFETIMES[purpose]);
    expect((await SPEND[purpose](sent[1])).json()).toEqual(INVALID);
  });

  test('is stored as a hash', async () => {
    const { token } = await SENT[purpose]();
    const rows = await portal.deps.db.query.select().from(mailToken);
    expect(rows.map((row) => row.tokenHash.toString('base64url'))).not.toContain(token);
    expect(Buffer.from(token, 'base64url')).toHaveLength(32);
  });

  test.each([
    ['no token', 'Invalid', (sent: Sent) => ({ ...sent, token: undefined })],
    ['a token that is a number', 'Invalid', (sent: Sent) => ({ ...sent, token: 7 })],
    ['an endless token', 'Invalid', (sent: Sent) => ({ ...sent, token: 'x'.repeat(501) })],
    ['no email', 'InvalidEmail', (sent: Sent) => ({ ...sent, email: undefined })],
    ['no address for an email', 'InvalidEmail', (sent: Sent) => ({ ...sent, email: 'zoe' })],
  ])('%s is refused with a sentence', async (_what, code, change) => {
    const sent = await SENT[purpose]();
    const answer = await SPEND[purpose](change(sent) as Sent);
    expect(answer.statusCode).toBe(400);
    expect(answer.json()).toMatchObject({ errors: [{ code, description: expect.any(String) }] });
    expect((await SPEND[purpose](sent)).statusCode).toBe(204);
  });

  test('guessing at it is limited by address, and the owner at the same address is not', async () => {
    const sent = await SENT[purpose]();
    const from = freshAddress();
    const guess = (count: number) => SPEND[purpose]({ ...sent, token: `guess ${count}` }, from);
    for (let guesses = 0; guesses < 60; guesses++) expect((await guess(guesses)).statusCode).toBe(400);
    const refused = await guess(60);
    expect([refused.statusCode, refused.headers['retry-after']]).toEqual([429, '60']);
    expect((await SPEND[purpose](sent, from)).statusCode).toBe(204);
  });
});

describe('POST /user/resetpassword', () => {
  const ask = (email: string, from?: string) =>
    post(`/user/resetpassword?email=${encodeURIComponent(email)}`, undefined, from);

  test('answers alike whatever it is asked for', async () => {
    const user = await makeUser(portal);
    const off = await makeUser(portal, { active: false });
    for (const email of [user.email, ` ${user.email.toUpperCase()}`, off.email, freshEmail()]) {
      const answer = await ask(email);
      expect([answer.statusCode, answer.body]).toEqual([204, '']);
    }
    expect(await mailsTo(portal, user.email)).toHaveLength(2);
    expect(await mailsTo(portal, off.email)).toEqual([]);
  });

  test('sends a mailbox no more than five mails an hour, and does not say so', async () => {
    const { email } = await makeUser(portal);
    for (let asked = 0; asked < 8; asked++) expect((await ask(email)).statusCode).toBe(204);
    expect(await mailsTo(portal, email)).toHaveLength(5);
    after(3600);
    await ask(email);
    expect(await mailsTo(portal, email)).toHaveLength(6);
  });

  describe('past three hundred requests an hour from one address', () => {
    const crowd = async () => {
      const from = freshAddress();
      await useUpMails(portal, from);
      return from;
    };

    test('nobody is refused, also when all are asked for at once', async () => {
      await answerMailRequests(portal.deps);
      const from = freshAddress();
      const answers = await Promise.all(Array.from({ length: 330 }, () => ask(freshEmail(), from)));
      expect(answers.filter(({ statusCode }) => statusCode !== 204)).toEqual([]);
      const rows = await portal.deps.db.query.select().from(mailRequest);
      expect(rows.filter(({ isPastLimit }) => isPastLimit)).toHaveLength(30);
    });

    test('a mailbox still gets the first mail of the hour, and no answer tells which', async () => {
      const [known, asked] = [await makeUser(portal), await makeUser(portal)];
      await ask(asked.email);
      const from = await crowd();
      for (const email of [known.email, known.email, asked.email, freshEmail()]) {
        const answer = await ask(email, from);
        expect([answer.statusCode, answer.body]).toEqual([204, '']);
      }
      expect(await mailsTo(portal, known.email)).toHaveLength(1);
      expect(await mailsTo(portal, asked.email)).toHaveLength(1);
      expect((await SPEND.reset(await newestLink(portal, known.email), from)).statusCode).toBe(204);
      after(3600);
      await ask(asked.email, from);
      expect(await mailsTo(portal, asked.email)).toHaveLength(2);
    });

    test('what it is refused uses up nothing of what a mailbox gets', async () => {
      const { email } = await makeUser(portal);
      const from = await crowd();
      for (let asked = 0; asked < 8; asked++) await ask(email, from);
      expect(await mailsTo(portal, email)).toHaveLength(1);
      for (let asked = 0; asked < 8; asked++) await ask(email);
      expect(await mailsTo(portal, email)).toHaveLength(5);
    });

    test('confirmation mails are sent, too', async () => {
      const { email } = await makeUser(portal, { emailConfirmedAt: null });
      const from = await crowd();
      for (let asked = 0; asked < 3; asked++) await post('/user/resendemailconfirmation', { email }, from);
      expect(await mailsTo(portal, email)).toHaveLength(1);
    });

    test('a thousand such requests wait at once, behind all others', async () => {
      await answerMailRequests(portal.deps);
      const from = await crowd();
      await portal.deps.db.query.execute(sql`
        INSERT INTO mail_request (purpose, email, is_past_limit)
        SELECT 'reset', 'nobody' || n || '@example.com', true FROM generate_series(1, 1000) AS n`);
      const refused = await ask(freshEmail(), from);
      expect([refused.statusCode, refused.headers['retry-after']]).toEqual([429, '1']);
      const { email } = await makeUser(portal);
      expect((await ask(email)).statusCode).toBe(204);
      const next = await portal.deps.db.transaction((tx) => takeMailRequest(tx));
      expect(next).toMatchObject({ email, isPastLimit: false });
      await answerMailRequests(portal.deps);
      expect((await ask(freshEmail(), from)).statusCode).toBe(204);
    });
  });

  test('confirmation mails do not count against it', async () => {
    const { email } = await makeUser(portal, { emailConfirmedAt: null });
    for (let asked = 0; asked < 8; asked++) await post('/user/resendemailconfirmation', { email });
    expect(await mailsTo(portal, email)).toHaveLength(5);
    await ask(email);
    expect((await mailsTo(portal, email)).filter(({ kind }) => kind === 'reset-password')).toHaveLength(1);
  });

  test('counts only mails that are sent', async () => {
    const email = freshEmail();
    for (let asked = 0; asked < 8; asked++) await ask(email);
    for (let asked = 0; asked < 8; asked++) await post('/user/resendemailconfirmation', { email });
    expect(await mailsTo(portal, email)).toEqual([]);
    await makeUser(portal, { email });
    await ask(email);
    expect(await mailsTo(portal, email)).toHaveLength(1);
  });

  test('is switched off by nobody: whoever is sent no more mails has a link that works', async () => {
    const { email } = await makeUser(portal);
    await ask(email);
    after(3300);
    for (let asked = 0; asked < 20; asked++) await ask(email);
    const newest = await newestLink(portal, email);
    after(3599);
    await ask(email);
    const links = async () => (await mailsTo(portal, email)).filter(({ kind }) => kind === 'reset-password');
    expect(await links()).toHaveLength(5);
    expect((await SPEND.reset(newest)).statusCode).toBe(204);
    // A spent link proves that the mailbox is hers, so the next mail doesn't wait for the hour to pass.
    await ask(email);
    expect(await links()).toHaveLength(6);
    expect((await SPEND.reset(await newestLink(portal, email))).statusCode).toBe(204);
  });

  test('only the newest link works', async () => {
    const { email } = await makeUser(portal);
    await ask(email);
    const first = await newestLink(portal, email);
    await ask(email);
    const second = await newestLink(portal, email);
    expect((await SPEND.reset(first)).json()).toEqual(INVALID);
    expect((await SPEND.reset(second)).statusCode).toBe(204);
  });

  test('looks up the account after it answers, so its time reveals nothing', async () => {
    const user = await makeUser(portal);
    for (const email of [user.email, freshEmail()]) {
      await ask(email);
      const waiting = await portal.deps.db.query
        .select()
        .from(mailRequest)
        .where(eq(mailRequest.email, email));
      expect(waiting).toMatchObject([{ purpose: 'reset', email }]);
      expect(await mailsTo(portal, email)).toHaveLength(email === user.email ? 1 : 0);
    }
  });

  test('is processed once, whichever instances look', async () => {
    const user = await makeUser(portal);
    await ask(user.email);
    await Promise.all(Array.from({ length: 4 }, () => answerMailRequests(portal.deps)));
    expect(await mailsTo(portal, user.email)).toHaveLength(1);
  });

  test('accepts the empty JSON body that some clients send', async () => {
    const { email } = await makeUser(portal);
    const answer = await call(portal, 'POST', `/user/resetpassword?email=${email}`, {
      headers: { 'content-type': 'application/json', 'x-forwarded-for': freshAddress() },
    });
    expect(answer.statusCode).toBe(204);
  });

  test.each([
    ['no email', ''],
    ['an empty email', '?email='],
    ['two emails', '?email=a@b.example&email=c@d.example'],
    ['no address', '?email=zoe'],
    ['something else', '?email=a@b.example&token=1'],
  ])('%s is refused in the problem shape', async (_what, query) => {
    const answer = await post(`/user/resetpassword${query}`);
    expect(answer.statusCode).toBe(400);
    expect(answer.json()).toMatchObject({ title: 'Bad Request', status: 400 });
  });
});

describe('POST /user/confirmresetpassword', () => {
  test('sets the password, ends every session with its access tokens, and tells the account', async () => {
    const user = await signInUser(portal);
    await post(`/user/resetpassword?email=${user.email}`);
    const link = await newestLink(portal, user.email);
    expect((await call(portal, 'GET', '/user', { token: user.token })).statusCode).toBe(200);
    expect((await SPEND.reset(link)).statusCode).toBe(204);

    expect((await call(portal, 'GET', '/user', { token: user.token })).statusCode).toBe(401);
    expect((await signIn(user.email, TEST_PASSWORD)).json().detail).toBe('Failed');
    expect((await signIn(user.email, NEW_PASSWORD)).statusCode).toBe(200);
    const refresh = await post('/authentication/refresh', { refreshToken: user.refreshToken });
    expect(refresh.statusCode).toBe(401);
    const [told] = await mailsTo(portal, user.email);
    expect(told?.kind).toBe('password-changed');
    expect(told?.content.text).toContain('you were signed out everywhere else');
  });

  test('a refused password spends nothing', async () => {
    const sent = await SENT.reset();
    const answer = await post('/user/confirmresetpassword', {
      email: sent.email,
      passwordToken: sent.token,
      password: 'password1',
    });
    expect(answer.json()).toMatchObject({
      status: 400,
      errors: [{ code: 'PasswordTooCommon', field: 'password' }],
    });
    expect((await SPEND.reset(sent)).statusCode).toBe(204);
  });

  test('confirms an unconfirmed address, because the mail proves whose it is', async () => {
    const { email } = await makeUser(portal, { emailConfirmedAt: null });
    await post(`/user/resetpassword?email=${email}`);
    await SPEND.reset(await newestLink(portal, email));
    expect((await signIn(email, NEW_PASSWORD)).statusCode).toBe(200);
  });

  test('lets the owner in again who was waiting after five wrong passwords', async () => {
    const { email } = await makeUser(portal);
    const from = freshAddress();
    const tryFrom = (password: string) => post('/authentication/login', { email, password }, from);
    for (let failures = 0; failures < 8; failures++) {
      await tryFrom('wrong');
    }
    expect((await tryFrom(TEST_PASSWORD)).statusCode).toBe(429);
    await post(`/user/resetpassword?email=${email}`);
    await SPEND.reset(await newestLink(portal, email), from);
    expect((await tryFrom(NEW_PASSWORD)).statusCode).toBe(200);
  });

  test('does not switch an account on again', async () => {
    const sent = await SENT.reset();
    await portal.deps.db.query.update(appUser).set({ active: false }).where(eq(appUser.email, sent.email));
    expect((await SPEND.reset(sent)).statusCode).toBe(204);
    expect((await signIn(sent.email, NEW_PASSWORD)).json().detail).toBe('LockedOut');
  });
});

describe('an invitation', () => {
  test('to a new person creates an account that is confirmed and linked', async () => {
    const email = freshEmail();
    const { customerId } = await invite(email);
    const [mail] = await mailsTo(portal, email);
    expect(mail?.kind).toBe('invitation');
    const link = await newestLink(portal, email);
    expect(`${link.url.origin}${link.url.pathname}`).toBe('https://pay.example.com/invitation');

    expect((await SPEND.invitation(link)).statusCode).toBe(204);
    const signedIn = await signIn(email, NEW_PASSWORD);
    expect(signedIn.statusCode).toBe(200);
    const [user] = await portal.deps.db.query.select().from(appUser).where(eq(appUser.email, email));
    expect(user?.userType).toBe(2);
    const linked = await portal.deps.db.query
      .select()
      .from(userCustomer)
      .where(eq(userCustomer.userId, user?.id ?? ''));
    expect(linked).toMatchObject([{ customerId }]);
    const waiting = await call(portal, 'GET', '/user/invitations', { token: signedIn.json().accessToken });
    expect(waiting.json()).toEqual([]);
  });

  test('to an account waits there, and its mail leads to signing in', async () => {
    const user = await signInUser(portal);
    const { customerId, customerNumber } = await invite(user.email.toUpperCase());
    const [mail] = await mailsTo(portal, user.email);
    expect(mail?.content.text).toContain('https://pay.example.com/login');
    expect(mail?.content.text).not.toContain('t=');

    const list = () => call(portal, 'GET', '/user/invitations', { token: user.token });
    expect((await list()).json()).toEqual([{ customerName: `Customer ${customerNumber}` }]);
    for (let clicks = 0; clicks < 2; clicks++) {
      const answer = await call(portal, 'POST', '/user/invitations', { token: user.token });
      expect(answer.statusCode).toBe(204);
    }
    expect((await list()).json()).toEqual([]);
    const linked = await portal.deps.db.query
      .select()
      .from(userCustomer)
      .where(eq(userCustomer.userId, user.userId));
    expect(linked).toMatchObject([{ customerId }]);
  });

  test('is accepted together with all that wait, and only by its recipient', async () => {
    const user = await signInUser(portal);
    const other = await signInUser(portal);
    await invite(user.email);
    await invite(user.email);
    expect((await call(portal, 'GET', '/user/invitations', { token: other.token })).json()).toEqual([]);
    expect((await call(portal, 'POST', '/user/invitations', { token: other.token })).statusCode).toBe(404);
    expect((await call(portal, 'GET', '/user/invitations', { token: user.token })).json()).toHaveLength(2);
    await call(portal, 'POST', '/user/invitations', { token: user.token });
    expect((await call(portal, 'GET', '/user/invitations', { token: user.token })).json()).toEqual([]);
  });

  test('that is withdrawn under its banner is refused, even if another was accepted hours before', async () => {
    const user = await signInUser(portal);
    await invite(user.email);
    expect((await call(portal, 'POST', '/user/invitations', { token: user.token })).statusCode).toBe(204);
    after(2 * 3600);
    const { accessToken: token } = (await signIn(user.email, TEST_PASSWORD)).json();
    await invite(user.email);
    await portal.deps.db.query
      .update(invitation)
      .set({ withdrawnAt: portal.now })
      .where(and(eq(invitation.email, user.email), isNull(invitation.acceptedAt)));
    const answer = await call(portal, 'POST', '/user/invitations', { token });
    expect([answer.statusCode, answer.json().detail]).toEqual([
      404,
      'No invitation is waiting for you any more.',
    ]);
  });

  test('expires after 14 days', async () => {
    const user = await makeUser(portal);
    await invite(user.email);
    after(14 * 86_400);
    const signedIn = await signIn(user.email, TEST_PASSWORD);
    const token = signedIn.json().accessToken;
    expect((await call(portal, 'GET', '/user/invitations', { token })).json()).toEqual([]);
    expect((await call(portal, 'POST', '/user/invitations', { token })).statusCode).toBe(404);
    const linked = await portal.deps.db.query
      .select()
      .from(userCustomer)
      .where(eq(userCustomer.userId, user.userId));
    expect(linked).toEqual([]);
  });

  test('repeated extends the same invitation, and only its newest link works', async () => {
    const email = freshEmail();
    const { franchiseId, customerNumber } = await invite(email);
    const first = await newestLink(portal, email);
    after(86_400);
    const again = await inviteBy({ franchiseId, customerNumber: String(customerNumber), email });
    const second = await newestLink(portal, email);
    expect(again.statusCode).toBe(201);
    expect((await SPEND.invitation(first)).json()).toEqual(INVALID);
    after(14 * 86_400 + 100);
    expect((await SPEND.invitation(second)).statusCode).toBe(204);
  });

  test('to somebody who registered meanwhile spends nothing, and waits for their sign-in', async () => {
    const email = freshEmail();
    await invite(email);
    const link = await newestLink(portal, email);
    const user = await signInUser(portal, { email });
    const answer = await SPEND.invitation(link);
    expect(answer.statusCode).toBe(400);
    expect(answer.json()).toMatchObject({ errors: [{ code: 'DuplicateEmail', field: 'email' }] });
    expect((await signIn(email, TEST_PASSWORD)).statusCode).toBe(200);
    expect((await call(portal, 'GET', '/user/invitations', { token: user.token })).json()).toHaveLength(1);
  });

  test('with a refused password spends nothing', async () => {
    const sent = await SENT.invitation();
    const answer = await post('/user/acceptinvite', {
      email: sent.email,
      passwordToken: sent.token,
      firstName: 'A',
      lastName: 'B',
      password: 'short',
    });
    expect(answer.json()).toMatchObject({ errors: [{ code: 'PasswordTooShort', field: 'password' }] });
    expect((await SPEND.invitation(sent)).statusCode).toBe(204);
  });

  test.each([
    ['no customer of that number', { customerNumber: 999_999 }, 404],
    ['no franchise of that number', { franchiseId: 999_999 }, 404],
    ['no email', { email: undefined }, 400],
    ['no address', { email: 'zoe' }, 400],
    ['a customer number of letters', { customerNumber: 'abc' }, 400],
    ['franchise zero', { franchiseId: 0 }, 400],
    ['an unknown field', { userType: 1 }, 400],
  ])('to %s is refused in the problem shape', async (_what, given, status) => {
    const { franchiseId, customerId } = await makeInvoice(portal.deps.db.query);
    const [row] = await portal.deps.db.query.select().from(customer).where(eq(customer.id, customerId));
    const answer = await inviteBy({
      franchiseId,
      customerNumber: row?.number,
      email: freshEmail(),
      ...given,
    });
    expect(answer.statusCode).toBe(status);
    expect(answer.json()).toMatchObject({ status, detail: expect.any(String) });
  });

  test('needs the offices’ key', async () => {
    const answer = await inviteBy({ franchiseId: 1, customerNumber: 1, email: freshEmail() }, 'another key');
    expect(answer.statusCode).toBe(401);
    expect(answer.json().detail).toBe('This key is not known.');
  });
});

function flipped(token: string): string {
  const bytes = Buffer.from(token, 'base64url');
  bytes[9] = (bytes[9] ?? 0) ^ 1;
  return bytes.toString('base64url');
}

function otherCase(token: string): string {
  const at = token.search(/[a-z]/);
  return `${token.slice(0, at)}${token[at]?.toUpperCase()}${token.slice(at + 1)}`;
}
