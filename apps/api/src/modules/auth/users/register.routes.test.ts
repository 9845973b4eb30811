import { eq } from 'drizzle-orm';
import fc from 'fast-check';
import { beforeEach, describe, expect, test } from 'vitest';
import { call, useTestApp } from '../../../../test/build-test-app.ts';
import { makeUser, TEST_PASSWORD } from '../../../../test/factories/users.ts';
import { useUpMails, useUpRegistrations } from '../../../../test/limits/crowded-address.ts';
import { whileHashingIsFull } from '../../../../test/limits/full-hashing-gate.ts';
import { mailLink, mailsTo, newestLink } from '../../../../test/mail/mailbox.ts';
import { appUser } from '../../../db/schema/people.ts';

const portal = useTestApp({ TRUST_PROXY: '1' });
const START = new Date('2026-11-15T18:00:00Z');
const after = (seconds: number) => {
  portal.now = new Date(START.getTime() + seconds * 1000);
};

let sequence = 0;
const freshAddress = () => `10.2.${Math.floor(++sequence / 250)}.${(sequence % 250) + 1}`;
const freshEmail = () => `new${++sequence}@example.com`;

beforeEach(async () => {
  after(0);
  await portal.deps.db.query.execute('DELETE FROM limit_counter');
});

const post = (path: string, body: unknown, from = freshAddress()) =>
  call(portal, 'POST', path, { body, headers: { 'x-forwarded-for': from } });
const details = (given: Record<string, unknown> = {}) => ({
  email: freshEmail(),
  firstName: 'Zoë',
  lastName: 'Ærø',
  password: 'windows are for looking through',
  userType: 2,
  ...given,
});
const register = (given: Record<string, unknown> = {}, from?: string) =>
  post('/user/register', details(given), from);
async function registerTaken(from: string) {
  const { email } = await makeUser(portal);
  return register({ email }, from);
}
const registerInACrowd = (from: string) => whileHashingIsFull(() => register({}, from));
const signIn = (email: string, password: string) => post('/authentication/login', { email, password });
const rowOf = async (email: string) =>
  (await portal.deps.db.query.select().from(appUser).where(eq(appUser.email, email)))[0];

describe('POST /user/register', () => {
  test('creates an account that waits for its confirmation', async () => {
    const email = freshEmail();
    const answer = await register({ email });
    expect(answer.statusCode).toBe(204);
    expect(await rowOf(email)).toMatchObject({
      firstName: 'Zoë',
      lastName: 'Ærø',
      userType: 2,
      emailConfirmedAt: null,
      active: true,
    });

    const [mail, ...others] = await mailsTo(portal, email);
    expect(others).toEqual([]);
    expect(mail).toMatchObject({
      kind: 'confirm-email',
      content: { subject: 'Please confirm your email address' },
    });
    const link = await newestLink(portal, email);
    expect(`${link.url.origin}${link.url.pathname}`).toBe('https://pay.example.com/confirm');
    expect(link.email).toBe(email);
    expect(mail?.content.html).toContain(link.token);

    expect((await signIn(email, 'windows are for looking through')).json().detail).toBe('NotAllowed');
    expect((await post('/user/confirm', { email, token: link.token })).statusCode).toBe(204);
    expect((await signIn(email, 'windows are for looking through')).statusCode).toBe(200);
  });

  test.each([1, 3, '1', null, { $gt: 0 }, undefined])(
    'a user type of %j changes nothing',
    async (userType) => {
      const email = freshEmail();
      expect((await register({ email, userType })).statusCode).toBe(204);
      expect((await rowOf(email))?.userType).toBe(2);
    },
  );

  test('stores the email without case and surrounding space', async () => {
    const email = freshEmail();
    expect((await register({ email: ` ${email.toUpperCase()}  ` })).statusCode).toBe(204);
    expect(await rowOf(email)).toBeDefined();
  });

  test('mails the address as it is seen, whatever marks were copied with it', async () => {
    const email = freshEmail();
    const copied = `\u202a${email}\u200b\u202c`;
    expect((await register({ email: copied })).statusCode).toBe(204);
    const { token } = await newestLink(portal, email);
    expect((await post('/user/confirm', { email: copied, token })).statusCode).toBe(204);
    expect((await signIn(copied, details().password)).statusCode).toBe(200);
  });

  test.each([
    ['the same email', (email: string) => email],
    ['the same email in capitals', (email: string) => email.toUpperCase()],
    ['the same email with spaces', (email: string) => `  ${email} `],
  ])('%s again is refused, and sends no mail', async (_what, spell) => {
    const { email } = await makeUser(portal);
    const answer = await register({ email: spell(email) });
    expect(answer.statusCode).toBe(400);
    expect(answer.json()).toEqual({
      title: 'Bad Request',
      status: 400,
      detail: 'There is an account with this email address already.',
      errors: [
        {
          code: 'DuplicateEmail',
          description: 'There is an account with this email address already.',
          field: 'email',
        },
      ],
    });
    expect(await mailsTo(portal, email)).toEqual([]);
    expect((await signIn(email, TEST_PASSWORD)).statusCode).toBe(200);
  });

  test('concurrent registrations of one email make one account, which the newest link confirms', async () => {
    const email = freshEmail();
    const answers = await Promise.all([register({ email }), register({ email }), register({ email })]);
    expect(answers.map((answer) => answer.statusCode)).toEqual([204, 204, 204]);
    const links = (await mailsTo(portal, email)).map(mailLink);
    expect(links).toHaveLength(3);
    const confirmed = [];
    for (const { token } of links.toReversed()) {
      confirmed.push((await post('/user/confirm', { email, token })).statusCode);
    }
    expect(confirmed.toSorted()).toEqual([204, 400, 400]);
    expect((await signIn(email, 'windows are for looking through')).statusCode).toBe(200);
  });

  test('limits asking for taken emails like signing in', async () => {
    const { email } = await makeUser(portal);
    const from = freshAddress();
    for (let asked = 0; asked < 20; asked++) await register({ email }, from);
    const answer = await register({ email }, from);
    expect(answer.statusCode).toBe(429);
    expect(answer.headers['retry-after']).toBe('60');
    expect((await register({}, freshAddress())).statusCode).toBe(204);
  });

  test('is refused to nobody for what others ask for at the same address', async () => {
    const from = freshAddress();
    await useUpMails(portal, from);
    const email = freshEmail();
    expect((await register({ email }, from)).statusCode).toBe(204);
    expect(await mailsTo(portal, email)).toHaveLength(1);
  });

  test('past the limits of addresses is allowed a thousand times an hour, and elsewhere as usual', async () => {
    const from = freshAddress();
    await useUpMails(portal, from);
    await useUpRegistrations(portal);
    const refused = await register({}, from);
    expect([refused.statusCode, refused.headers['retry-after']]).toEqual([429, '3600']);
    expect((await register()).statusCode).toBe(204);
    after(3600);
    expect((await register({}, from)).statusCode).toBe(204);
  });

  describe.each([
    ['an email that has an account', 400, registerTaken],
    ['a password that nobody has time to hash', 503, registerInACrowd],
  ])('with %s', (_what, status, registerInVain) => {
    test('uses up none of the mails of its address', async () => {
      const from = freshAddress();
      await useUpMails(portal, from, 299);
      await useUpRegistrations(portal);
      expect((await registerInVain(from)).statusCode).toBe(status);
      expect((await register({}, from)).statusCode).toBe(204);
      expect((await register({}, from)).statusCode).toBe(429);
    });

    test('uses up none of the registrations past the limits of addresses', async () => {
      const from = freshAddress();
      await useUpMails(portal, from);
      await useUpRegistrations(portal, 999);
      expect((await registerInVain(from)).statusCode).toBe(status);
      expect((await register({}, from)).statusCode).toBe(204);
      expect((await register({}, from)).statusCode).toBe(429);
    });
  });

  test('that is refused past the limits of addresses uses up nothing', async () => {
    const from = freshAddress();
    await useUpMails(portal, from, 299);
    await useUpRegistrations(portal);
    expect((await register({}, from)).statusCode).toBe(204);
    for (let again = 0; again < 3; again++) expect((await register({}, from)).statusCode).toBe(429);
    // With one less of the thousand, and then of the three hundred too, the next is allowed.
    await useUpRegistrations(portal, -1);
    expect((await register({}, from)).statusCode).toBe(204);
    await useUpMails(portal, from, -2);
    expect((await register({}, from)).statusCode).toBe(204);
    expect((await register({}, from)).statusCode).toBe(429);
  });

  test.each([
    ['7 characters', 'short12', 'PasswordTooShort', 'Please use at least 8 characters.'],
    [
      '7 characters of two units each',
      '🙂🙃😉😎🤓🧐🥸',
      'PasswordTooShort',
      'Please use at least 8 characters.',
    ],
    ['129 characters', `${'long '.repeat(25)}long`, 'PasswordTooLong', 'Please use at most 128 characters.'],
    ['1000 characters', 'ab'.repeat(500), 'PasswordTooLong', 'Please use at most 128 characters.'],
    [
      'one that everybody tries',
      'Password1',
      'PasswordTooCommon',
      'This password is too easy to guess. Please choose another one.',
    ],
    ['half a character', 'half of \ud83d one', 'PasswordUnreadable', 'Please use other characters.'],
  ])('a password of %s is refused with a sentence', async (_what, password, code, description) => {
    const email = freshEmail();
    const answer = await register({ email, password });
    expect(answer.statusCode).toBe(400);
    expect(answer.json()).toMatchObject({
      detail: description,
      errors: [{ code, description, field: 'password' }],
    });
    expect(await rowOf(email)).toBeUndefined();
  });

  test.each([
    ['no email', { email: undefined }, 'email', 'Please enter your email address.'],
    ['an email without an at', { email: 'zoe.example.com' }, 'email', 'Please enter a valid email address.'],
    ['an email without a dot', { email: 'zoe@example' }, 'email', 'Please enter a valid email address.'],
    [
      'an email whose domain a URL ends early',
      { email: 'root@ｌocalhost/x.example' },
      'email',
      'Please enter a valid email address.',
    ],
    ['two emails', { email: 'a@b.example, c@d.example' }, 'email', 'Please enter a valid email address.'],
    [
      'an email with a header in it',
      { email: 'a@b.example\r\nBcc: all@b.example' },
      'email',
      'Please enter a valid email address.',
    ],
    [
      'an email of 300 characters',
      { email: `${'a'.repeat(290)}@b.example` },
      'email',
      'Please enter a valid email address.',
    ],
    ['no first name', { firstName: undefined }, 'firstName', 'Please enter your first name.'],
    ['a blank first name', { firstName: '  ' }, 'firstName', 'Please enter your first name.'],
    ['a last name that is a number', { lastName: 7 }, 'lastName', 'Please enter your last name.'],
    [
      'a last name without end',
      { lastName: 'x'.repeat(101) },
      'lastName',
      'Please shorten your last name to 100 characters.',
    ],
    ['a first name with a NUL', { firstName: 'Zo\u0000' }, 'firstName', 'Please check your first name.'],
    ['no password', { password: undefined }, 'password', 'Please enter a password.'],
    ['a password that is a list', { password: ['x'] }, 'password', 'Please enter a password.'],
    ['an unknown field', { emailConfirmedAt: '2026-01-01' }, 'emailConfirmedAt', 'This field is not known.'],
    ['an id', { id: '00000000-0000-4000-8000-000000000000' }, 'id', 'This field is not known.'],
  ])('%s is refused with a sentence for its field', async (_what, given, field, description) => {
    const answer = await register(given);
    expect(answer.statusCode).toBe(400);
    expect(answer.json()).toMatchObject({ errors: [{ field, description }] });
  });

  test('any password of 8 to 128 characters that is not common signs in, and none that differs at its end', async () => {
    const password = fc.string({ unit: 'grapheme', minLength: 9, maxLength: 60 });
    await fc.assert(
      fc.asyncProperty(password, async (text) => {
        const email = freshEmail();
        const registered = await register({ email, password: text });
        if (registered.statusCode === 400) {
          expect(['PasswordTooLong', 'PasswordTooCommon']).toContain(registered.json().errors[0].code);
          fc.pre(false);
        }
        await portal.deps.db.query
          .update(appUser)
          .set({ emailConfirmedAt: portal.now })
          .where(eq(appUser.email, email));
        expect((await signIn(email, text)).statusCode).toBe(200);
        expect(
          (await signIn(email, `${text.slice(0, -1)}${text.endsWith('x') ? 'y' : 'x'}`)).statusCode,
        ).toBe(401);
      }),
      { numRuns: 20 },
    );
  });

  test('a password of 128 characters, astral ones too, signs in', async () => {
    const email = freshEmail();
    const password = '🪟🧽'.repeat(64);
    expect((await register({ email, password })).statusCode).toBe(204);
    await portal.deps.db.query
      .update(appUser)
      .set({ emailConfirmedAt: portal.now })
      .where(eq(appUser.email, email));
    expect((await signIn(email, password)).statusCode).toBe(200);
    expect((await signIn(email, `${'🪟🧽'.repeat(63)}🪟🪟`)).statusCode).toBe(401);
  });

  test('treats composed and decomposed spellings as one password', async () => {
    const email = freshEmail();
    await register({ email, password: 'cafés sont fermés'.normalize('NFC') });
    await portal.deps.db.query
      .update(appUser)
      .set({ emailConfirmedAt: portal.now })
      .where(eq(appUser.email, email));
    expect((await signIn(email, 'cafés sont fermés'.normalize('NFD'))).statusCode).toBe(200);
  });

  test('stores a password only as argon2id', async () => {
    const email = freshEmail();
    await register({ email });
    const row = await rowOf(email);
    expect(row?.passwordHash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    expect(JSON.stringify(row)).not.toContain('windows are for looking through');
  });

  test('names the portal in a mail by its settings, whatever host the request names', async () => {
    const email = freshEmail();
    await call(portal, 'POST', '/user/register', {
      body: details({ email }),
      headers: {
        host: 'evil.example',
        'x-forwarded-host': 'evil.example',
        'x-forwarded-for': freshAddress(),
      },
    });
    expect(JSON.stringify(await mailsTo(portal, email))).not.toContain('evil.example');
  });
});

describe('POST /user/resendemailconfirmation', () => {
  const resend = (email: unknown, from?: string) => post('/user/resendemailconfirmation', { email }, from);

  test('sends a new link, and only the newest works', async () => {
    const email = freshEmail();
    await register({ email });
    const first = await newestLink(portal, email);
    after(1);
    expect((await resend(` ${email.toUpperCase()}`)).statusCode).toBe(204);
    const second = await newestLink(portal, email);
    expect(second.token).not.toBe(first.token);
    expect((await post('/user/confirm', { email, token: first.token })).statusCode).toBe(400);
    expect((await post('/user/confirm', { email, token: second.token })).statusCode).toBe(204);
  });

  test('answers alike whatever it is asked for', async () => {
    const waiting = await makeUser(portal, { emailConfirmedAt: null });
    const confirmed = await makeUser(portal);
    const off = await makeUser(portal, { emailConfirmedAt: null, active: false });
    for (const email of [waiting.email, confirmed.email, off.email, freshEmail()]) {
      const answer = await resend(email);
      expect([answer.statusCode, answer.body]).toEqual([204, '']);
      expect(await mailsTo(portal, email)).toHaveLength(email === waiting.email ? 1 : 0);
    }
  });

  test('sends a mailbox no more than five mails an hour, and does not say so', async () => {
    const { email } = await makeUser(portal, { emailConfirmedAt: null });
    for (let asked = 0; asked < 8; asked++) expect((await resend(email)).statusCode).toBe(204);
    expect(await mailsTo(portal, email)).toHaveLength(5);
  });

  test.each([
    ['another width', (email: string) => email.replace('example', 'ｅxample')],
    ['other full stops', (email: string) => `${email.replace('.example', '。example')}。`],
    ['an invisible character', (email: string) => `\u202A${email.replace('@', '\u200B@')}`],
    ['a soft hyphen in its domain', (email: string) => email.replace('exam', 'exam\u00AD')],
  ])('counts %s in an address as the same mailbox, and registers it there', async (_what, respell) => {
    const email = `person@mail${++sequence}.example.com`;
    for (let asked = 0; asked < 4; asked++) expect((await register({ email })).statusCode).toBe(204);
    expect((await register({ email: respell(email) })).statusCode).toBe(204);
    expect((await register({ email: respell(email) })).statusCode).toBe(429);
    expect(await mailsTo(portal, email)).toHaveLength(5);
    const { token } = await newestLink(portal, email);
    expect((await post('/user/confirm', { email: respell(email), token })).statusCode).toBe(204);
    expect((await signIn(email, details().password)).statusCode).toBe(200);
  });

  test('counts the registration’s mail', async () => {
    const email = freshEmail();
    await register({ email });
    for (let asked = 0; asked < 8; asked++) await resend(email);
    expect(await mailsTo(portal, email)).toHaveLength(5);
  });

  test.each([
    ['no email', undefined],
    ['an empty email', ''],
    ['a number', 1],
    ['no address', 'zoe'],
  ])('%s is refused', async (_what, email) => {
    expect((await resend(email)).statusCode).toBe(400);
  });
});
