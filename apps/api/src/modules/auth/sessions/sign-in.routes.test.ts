import { hash } from '@node-rs/argon2';
import { eq } from 'drizzle-orm';
import { beforeEach, describe, expect, test } from 'vitest';
import { call, useTestApp } from '../../../../test/build-test-app.ts';
import { makeUser, signInUser, TEST_PASSWORD } from '../../../../test/factories/users.ts';
import { keepLog } from '../../../../test/kept-log.ts';
import { whileHashingIsFull } from '../../../../test/limits/full-hashing-gate.ts';
import { newestLink } from '../../../../test/mail/mailbox.ts';
import { PORTAL } from '../../../db/audit.queries.ts';
import { appUser, session } from '../../../db/schema/people.ts';
import { switchUser } from '../../office/switch-user.ts';
import { countFailedSignIn, signInGuards } from '../passwords/guessing-limits.ts';
import { hashingGate } from '../passwords/hashing-gate.ts';
import { REFUSAL_MILLISECONDS } from '../passwords/tell-failed-sign-in.ts';

const kept = keepLog();
const portal = useTestApp({ TRUST_PROXY: '1' }, { log: kept.log });
const START = new Date('2026-11-15T18:00:00Z');
const after = (seconds: number) => {
  portal.now = new Date(START.getTime() + seconds * 1000);
};

/** Fits more than a hundred hashings in sequence. */
const BUSY_MACHINE_MILLISECONDS = 120_000;

let lastAddress = 0;
/** An address without failures so far. */
const freshAddress = () => `10.0.${Math.floor(++lastAddress / 250)}.${(lastAddress % 250) + 1}`;

beforeEach(() => after(0));

const signIn = (body: unknown, from = freshAddress()) =>
  call(portal, 'POST', '/authentication/login', { body, headers: { 'x-forwarded-for': from } });

describe('POST /authentication/login', () => {
  test('answers tokens that work for a protected call', async () => {
    const user = await makeUser(portal, { firstName: 'Zoë', lastName: "O'Neill" });
    const answer = await signIn({ email: user.email, password: TEST_PASSWORD });
    expect(answer.statusCode).toBe(200);
    expect(answer.json()).toEqual({
      accessToken: expect.any(String),
      refreshToken: expect.any(String),
      expiresIn: 600,
    });

    const me = await call(portal, 'GET', '/user', { token: answer.json().accessToken });
    expect(me.json()).toEqual({
      id: user.userId,
      email: user.email,
      firstName: 'Zoë',
      lastName: "O'Neill",
    });
  });

  test('ignores case and surrounding space of the email', async () => {
    const user = await makeUser(portal);
    const answer = await signIn({ email: `  ${user.email.toUpperCase()} `, password: TEST_PASSWORD });
    expect(answer.statusCode).toBe(200);
  });

  test('gives an unknown address and a wrong password the same answer and hashing', async () => {
    const user = await makeUser(portal);
    const before = hashingGate.finished;
    const unknown = await signIn({ email: 'nobody@example.com', password: 'wrong password' });
    const between = hashingGate.finished;
    const wrong = await signIn({ email: user.email, password: 'wrong password' });

    expect(wrong.statusCode).toBe(401);
    expect(wrong.json()).toEqual({ title: 'Unauthorized', status: 401, detail: 'Failed', errors: [] });
    expect(unknown.statusCode).toBe(401);
    expect(unknown.body).toBe(wrong.body);
    expect([between - before, hashingGate.finished - between]).toEqual([1, 1]);
  });

  test('mentions an unconfirmed address only after the right password', async () => {
    const user = await makeUser(portal, { emailConfirmedAt: null });
    expect((await signIn({ email: user.email, password: 'wrong' })).json().detail).toBe('Failed');
    const answer = await signIn({ email: user.email, password: TEST_PASSWORD });
    expect(answer.statusCode).toBe(401);
    expect(answer.json().detail).toBe('NotAllowed');
  });

  test('mentions a switched-off account only after the right password', async () => {
    const user = await makeUser(portal, { active: false });
    expect((await signIn({ email: user.email, password: 'wrong' })).json().detail).toBe('Failed');
    const answer = await signIn({ email: user.email, password: TEST_PASSWORD });
    expect(answer.statusCode).toBe(401);
    expect(answer.json().detail).toBe('LockedOut');
  });

  test('a hash of an older, cheaper kind is made anew', async () => {
    const user = await makeUser(portal, {
      passwordHash: await hash(TEST_PASSWORD, { memoryCost: 4096, timeCost: 1 }),
    });
    await signIn({ email: user.email, password: TEST_PASSWORD });
    const [row] = await portal.deps.db.query.select().from(appUser).where(eq(appUser.id, user.userId));
    expect(row?.passwordHash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[^$]{22}\$[^$]{43}$/);
    expect((await signIn({ email: user.email, password: TEST_PASSWORD })).statusCode).toBe(200);
  });

  test('of more than ten sessions the ones used longest ago end', async () => {
    const user = await makeUser(portal);
    for (let count = 0; count < 12; count++) await signIn({ email: user.email, password: TEST_PASSWORD });
    const rows = await portal.deps.db.query.select().from(session).where(eq(session.userId, user.userId));
    const byAge = rows.toSorted((a, b) => a.createdAt.getTime() - b.createdAt.getTime());
    expect(byAge.map((row) => row.endedAt === null)).toEqual([false, false, ...Array(10).fill(true)]);
  });

  const right = { email: 'zoe@example.com', password: 'something' };
  test.each([
    ['no email', { ...right, email: undefined }, 'email', 'Please enter your email address.'],
    ['an empty email', { ...right, email: '' }, 'email', 'Please enter your email address.'],
    ['an email that is a number', { ...right, email: 7 }, 'email', 'Please enter your email address.'],
    ['a list of emails', { ...right, email: ['a@b.c'] }, 'email', 'Please enter your email address.'],
    [
      'a very long email',
      { ...right, email: 'a'.repeat(321) },
      'email',
      'Please enter a valid email address.',
    ],
    [
      'an email with a NUL',
      { ...right, email: 'a\u0000@b.c' },
      'email',
      'Please enter a valid email address.',
    ],
    ['no password', { ...right, password: undefined }, 'password', 'Please enter your password.'],
    ['an empty password', { ...right, password: '' }, 'password', 'Please enter your password.'],
    ['a password that is an object', { ...right, password: {} }, 'password', 'Please enter your password.'],
    [
      'an endless password',
      { ...right, password: 'x'.repeat(1001) },
      'password',
      'Please use at most 128 characters.',
    ],
    ['an unknown field', { ...right, userType: 1 }, 'userType', 'This field is not known.'],
  ])('%s is refused with a sentence for its field', async (_what, body, field, description) => {
    const answer = await signIn(body);
    expect(answer.statusCode).toBe(400);
    expect(answer.json()).toMatchObject({ status: 400, errors: [{ field, description }] });
  });

  test('needs the shared secret', async () => {
    const answer = await portal.app.inject({
      method: 'POST',
      url: '/api/authentication/login',
      payload: right,
    });
    expect(answer.statusCode).toBe(401);
    expect(answer.json().detail).toBe('This application is not known.');
  });
});

describe('guessing passwords', () => {
  test(
    '3,000 failures of strangers keep nobody else out, and are told of once',
    async () => {
      kept.clear();
      const failures = Array.from({ length: 3_005 }, (_, at) => ({
        email: `guessed${at % 150}@example.com`,
        ip: `192.0.2.${(at % 15) + 1}`,
      }));
      // Bypass the hashing gate, which would take minutes.
      while (failures.length > 0) {
        const some = failures.splice(0, 20);
        await Promise.all(
          some.map((who) => countFailedSignIn(portal.deps, signInGuards(who, { isOwners: false }))),
        );
      }
      const told = kept.events().filter((line) => line.msg === 'many sign-ins fail from strange addresses');
      expect(told).toMatchObject([{ level: 'warn', failures: 3_000 }]);
      const user = await makeUser(portal);
      expect((await signIn({ email: user.email, password: TEST_PASSWORD })).statusCode).toBe(200);
      expect(
        (await signIn({ email: 'guessed1@example.com', password: 'wrong' }, '192.0.2.1')).statusCode,
      ).toBe(429);
    },
    BUSY_MACHINE_MILLISECONDS,
  );

  test('an owner at a new address whose account is being guessed at comes in by her mailbox', async () => {
    const user = await makeUser(portal);
    const from = freshAddress();
    for (let guesses = 0; guesses < 100; guesses++) {
      await countFailedSignIn(
        portal.deps,
        signInGuards({ email: user.email, ip: freshAddress() }, { isOwners: false }),
      );
    }
    // Somebody also guesses from her own address.
    for (let guesses = 0; guesses < 25; guesses++) {
      await signIn({ email: `housemate${guesses}@example.com`, password: 'wrong' }, from);
    }
    expect((await signIn({ email: user.email, password: TEST_PASSWORD }, from)).statusCode).toBe(429);
    const headers = { 'x-forwarded-for': from };
    await call(portal, 'POST', `/user/resetpassword?email=${user.email}`, { headers });
    const { email, token: passwordToken } = await newestLink(portal, user.email);
    const password = 'a new one for the same windows';
    const body = { email, passwordToken, password };
    await call(portal, 'POST', '/user/confirmresetpassword', { body, headers });
    expect((await signIn({ email, password }, from)).statusCode).toBe(200);
  });

  test('after five failures at one account each try has to wait, the right one too', async () => {
    const user = await makeUser(portal);
    const from = freshAddress();
    for (let failures = 0; failures < 5; failures++) {
      expect((await signIn({ email: user.email, password: 'wrong' }, from)).statusCode).toBe(401);
    }
    const early = await signIn({ email: user.email, password: TEST_PASSWORD }, from);
    expect(early.statusCode).toBe(429);
    expect(early.headers['retry-after']).toBe('1');
    expect(early.json()).toEqual({
      title: 'Too Many Requests',
      status: 429,
      detail: 'Too many tries.',
      errors: [
        {
          code: 'TooManyAttempts',
          description: 'Too many tries.',
        },
      ],
    });
    after(1);
    expect((await signIn({ email: user.email, password: TEST_PASSWORD }, from)).statusCode).toBe(200);
  });

  test('an address without an account waits like one that has one', async () => {
    const from = freshAddress();
    for (let failures = 0; failures < 5; failures++) {
      await signIn({ email: 'ghost@example.com', password: 'wrong' }, from);
    }
    const answer = await signIn({ email: 'ghost@example.com', password: 'wrong' }, from);
    expect(answer.statusCode).toBe(429);
    expect(answer.headers['retry-after']).toBe('1');
  });

  test(
    'somebody else guessing from elsewhere does not lock the owner out',
    async () => {
      const user = await makeUser(portal);
      const home = freshAddress();
      expect((await signIn({ email: user.email, password: TEST_PASSWORD }, home)).statusCode).toBe(200);

      // 120 addresses at one account: strangers have to wait, right password or not.
      const answers = [];
      for (let guesses = 0; guesses < 120; guesses++) {
        answers.push((await signIn({ email: user.email, password: 'wrong' })).statusCode);
      }
      expect(answers.filter((status) => status === 401)).toHaveLength(100);
      expect((await signIn({ email: user.email, password: TEST_PASSWORD })).statusCode).toBe(429);

      expect((await signIn({ email: user.email, password: TEST_PASSWORD }, home)).statusCode).toBe(200);
      after(3600);
      expect((await signIn({ email: user.email, password: TEST_PASSWORD })).statusCode).toBe(200);
    },
    BUSY_MACHINE_MILLISECONDS,
  );

  test('one address at many accounts is stopped after twenty failures in a minute', async () => {
    const from = freshAddress();
    const answers = [];
    for (let guesses = 0; guesses < 25; guesses++) {
      answers.push(
        (await signIn({ email: `user${guesses}@example.com`, password: 'wrong' }, from)).statusCode,
      );
    }
    expect(answers.filter((status) => status === 401)).toHaveLength(20);
    expect(answers.slice(20)).toEqual([429, 429, 429, 429, 429]);
    after(60);
    expect((await signIn({ email: 'user99@example.com', password: 'wrong' }, from)).statusCode).toBe(401);
  });

  test('a guesser behind the same address locks nobody out who has signed in there before', async () => {
    const user = await makeUser(portal);
    const from = freshAddress();
    expect((await signIn({ email: user.email, password: TEST_PASSWORD }, from)).statusCode).toBe(200);
    for (let guesses = 0; guesses < 25; guesses++) {
      await signIn({ email: `victim${guesses}@example.com`, password: 'wrong' }, from);
    }
    const { email } = await makeUser(portal);
    expect((await signIn({ email, password: TEST_PASSWORD }, from)).statusCode).toBe(429);
    expect((await signIn({ email: user.email, password: TEST_PASSWORD }, from)).statusCode).toBe(200);
  });

  test('past its limit an address does not learn which accounts were used there', async () => {
    const [known, elsewhere] = [await makeUser(portal), await makeUser(portal)];
    const from = freshAddress();
    const credentials = { email: known.email, password: TEST_PASSWORD };
    expect((await signIn(credentials, from)).statusCode).toBe(200);
    for (let guesses = 0; guesses < 20; guesses++) {
      await signIn({ email: `tried${guesses}@example.com`, password: 'wrong' }, from);
    }
    const tell = async (email: string) => {
      const began = performance.now();
      const { statusCode, headers, body } = await signIn({ email, password: 'wrong' }, from);
      // The lower bound of every refusal; checking a password takes less.
      expect(performance.now() - began).toBeGreaterThanOrEqual(REFUSAL_MILLISECONDS - 1);
      return [statusCode, headers['retry-after'], body];
    };
    const unknown = await tell('nobody@example.com');
    expect(unknown.slice(0, 2)).toEqual([429, '60']);
    expect(await tell(elsewhere.email)).toEqual(unknown);
    for (let guesses = 0; guesses < 7; guesses++) expect(await tell(known.email)).toEqual(unknown);
    after(59);
    expect((await signIn(credentials, from)).statusCode).toBe(200);
  });

  test('a burst gets little further than one attempt after another', async () => {
    const user = await makeUser(portal);
    const from = freshAddress();
    const answers = await Promise.all(
      Array.from({ length: 60 }, () => signIn({ email: user.email, password: 'wrong' }, from)),
    );
    const checked = answers.filter((answer) => answer.statusCode === 401).length;
    expect(checked).toBeGreaterThanOrEqual(5);
    expect(checked).toBeLessThanOrEqual(8);
  });

  test('a forged X-Forwarded-For in front of the real one changes nothing', async () => {
    const from = freshAddress();
    const answers = [];
    for (let guesses = 0; guesses < 22; guesses++) {
      const answer = await signIn(
        { email: `person${guesses}@example.com`, password: 'wrong' },
        `203.0.113.${guesses}, ${from}`,
      );
      answers.push(answer.statusCode);
    }
    expect(answers.slice(20)).toEqual([429, 429]);
  });
});

test('a crowd beyond the hashing capacity is told to retry, and nothing is counted against it', async () => {
  const user = await makeUser(portal);
  const from = freshAddress();
  await whileHashingIsFull(async () => {
    for (let tries = 0; tries < 10; tries++) {
      const answer = await signIn({ email: user.email, password: 'wrong' }, from);
      expect(answer.statusCode).toBe(503);
      expect(answer.headers['retry-after']).toBe('2');
      expect(answer.json()).toMatchObject({
        status: 503,
        detail: 'We are very busy right now. Please try again in a moment.',
      });
    }
  });
  expect((await signIn({ email: user.email, password: TEST_PASSWORD }, from)).statusCode).toBe(200);
});

describe('a session that has ended', () => {
  test('takes its access token with it when the office switches the account off', async () => {
    const user = await signInUser(portal);
    expect((await call(portal, 'GET', '/user', { token: user.token })).statusCode).toBe(200);
    await switchUser(portal.deps, { email: user.email, active: false, by: PORTAL });
    expect((await call(portal, 'GET', '/user', { token: user.token })).statusCode).toBe(401);
    const refresh = await call(portal, 'POST', '/authentication/refresh', {
      body: { refreshToken: user.refreshToken },
    });
    expect(refresh.statusCode).toBe(401);
  });

  test('takes its access token with it when its user logs out', async () => {
    const user = await signInUser(portal);
    const other = await signInUser(portal);
    const out = await call(portal, 'POST', '/authentication/logout', {
      body: { refreshToken: user.refreshToken },
    });
    expect(out.statusCode).toBe(204);
    expect((await call(portal, 'GET', '/user', { token: user.token })).statusCode).toBe(401);
    expect((await call(portal, 'GET', '/user', { token: other.token })).statusCode).toBe(200);
  });

  test('logging out twice, or with a token that is not ours, is no error', async () => {
    const user = await signInUser(portal);
    for (const refreshToken of [user.refreshToken, user.refreshToken, 'not a token']) {
      const answer = await call(portal, 'POST', '/authentication/logout', { body: { refreshToken } });
      expect(answer.statusCode).toBe(204);
    }
  });
});
