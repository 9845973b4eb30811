import { randomBytes } from 'node:crypto';
import { sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { useTestApp } from '../../../../test/build-test-app.ts';
import { makeUser, TEST_PASSWORD } from '../../../../test/factories/users.ts';
import { mannWhitneyP } from '../../../../test/mann-whitney.ts';
import {
  callConfirmed,
  callConsole,
  codeOf,
  cookieOf,
  mailsTo,
  makeStaff,
  OFFICE_SETTINGS,
  STAFF_PASSWORD,
  signInStaff,
  type TestPerson,
  waitForNextCode,
} from '../../../../test/office/office-people.ts';
import { useUpWrongLinks } from '../../../../test/wrong-links.ts';
import { hashToken } from '../../../crypto/hash-token.ts';
import { createMailLink } from '../../auth/mailbox/mail-tokens.ts';
import { hashingGate } from '../../auth/passwords/hashing-gate.ts';

const portal = useTestApp({ ...OFFICE_SETTINGS, TRUST_PROXY: '1' });

const SURELY_DIFFERENT = 1e-5;
/** Fits more than a thousand calls in sequence. */
const BUSY_MACHINE_MILLISECONDS = 120_000;

let lastAddress = 0;
const fromElsewhere = () => ({
  'x-forwarded-for': `10.9.${++lastAddress >> 8}.${lastAddress & 255}`,
});

/** The state after the password step. */
async function startAgain({ staffId }: TestPerson): Promise<string> {
  const token = randomBytes(32).toString('base64url');
  await portal.deps.db.query.execute(sql`
    INSERT INTO office_session (token_hash, staff_id, level, method, expires_at)
    VALUES (${hashToken(token)}, ${staffId}, 'password', 'password',
            engine_now() + interval '5 minutes')`);
  return `__Host-office=${token}`;
}

const show = async (person: TestPerson, kind: 'totp' | 'recovery', code: string) =>
  callConsole(portal, 'POST', `/session/${kind}`, {
    cookie: await startAgain(person),
    headers: fromElsewhere(),
    body: { code },
  });

async function countJudged({ staffId }: TestPerson): Promise<number> {
  const { rows } = await portal.deps.db.query.execute<{ count: number }>(sql`
    SELECT count(*)::integer AS count FROM audit_event
     WHERE action = 'refuse-factor' AND subject = ${`staff ${staffId}`}`);
  return rows[0]?.count ?? 0;
}

test('past its limit an address does not learn which staff have been there', async () => {
  const [known, elsewhere] = [await makeStaff(portal), await makeStaff(portal)];
  const from = fromElsewhere();
  const start = (email: string, password: string) =>
    callConsole(portal, 'POST', '/session', { headers: from, body: { email, password } });
  const cookie = cookieOf(await start(known.email, STAFF_PASSWORD));
  waitForNextCode(portal);
  const body = { code: codeOf(portal, known) };
  await callConsole(portal, 'POST', '/session/totp', { cookie, headers: from, body });
  for (let guess = 0; guess < 20; guess++) await start(`tried${guess}@staff.example`, 'wrong');
  const [unknown, ...others] = await Promise.all(
    ['nobody@staff.example', elsewhere.email, known.email].map(async (email) => {
      const told = await start(email, 'wrong');
      return [told.statusCode, told.headers['retry-after'], told.body];
    }),
  );
  expect(unknown?.[0]).toBe(429);
  expect(others).toEqual([unknown, unknown]);
  expect((await start(known.email, STAFF_PASSWORD)).statusCode).toBe(200);
});

test(
  'of a thousand codes after the right password thirty are judged in a day, and she and every admin are told',
  async () => {
    const [admin, guessed] = [await makeStaff(portal), await makeStaff(portal)];
    const cookie = await signInStaff(portal, guessed);
    const renewed = await callConfirmed(portal, { cookie, person: guessed }, 'POST', '/recovery-codes', {});
    const [recovery = ''] = renewed.json<{ recoveryCodes: string[] }>().recoveryCodes;

    const statuses = new Set<number>();
    for (let guess = 0; guess < 1000; guess++) {
      portal.now = new Date(portal.now.getTime() + 86_000);
      const answer = await show(guessed, 'totp', String(100_000 + guess));
      statuses.add(answer.statusCode);
      if (answer.statusCode === 429) expect(answer.json().errors[0].code).toBe('TooManyAttempts');
    }
    expect([...statuses].toSorted()).toEqual([401, 429]);
    expect(await countJudged(guessed)).toBe(30);
    for (const { email } of [admin, guessed]) {
      const subjects = (await mailsTo(portal, email)).map(({ text }) => text);
      expect(subjects.filter((text) => text.includes('30 ')).length).toBe(1);
    }

    // The right code isn't checked either; a recovery code still works.
    waitForNextCode(portal);
    expect((await show(guessed, 'totp', codeOf(portal, guessed))).statusCode).toBe(429);
    expect((await show(guessed, 'recovery', recovery)).statusCode).toBe(200);
    expect((await show(admin, 'totp', codeOf(portal, admin))).statusCode).toBe(200);
  },
  BUSY_MACHINE_MILLISECONDS,
);

test('a link of somebody who was switched off is limited like a guess, and costs no hashing', async () => {
  const { email, staffId } = await makeStaff(portal, { role: 'support', hasApp: false });
  const link = await portal.deps.db.transaction((tx) =>
    createMailLink(portal.deps, tx, { purpose: 'staff', email }),
  );
  await portal.deps.db.query.execute(sql`UPDATE staff SET state = 'off' WHERE id = ${staffId}`);
  const body = {
    email,
    token: new URL(link).searchParams.get('t'),
    firstName: 'Cora',
    lastName: 'Clerk',
    password: STAFF_PASSWORD,
  };
  const welcome = () =>
    callConsole(portal, 'POST', '/welcome', { headers: { 'x-forwarded-for': '198.51.100.8' }, body });
  const before = hashingGate.finished;
  expect((await welcome()).statusCode).toBe(400);
  await useUpWrongLinks(portal, '198.51.100.8');
  expect((await welcome()).statusCode).toBe(429);
  expect(hashingGate.finished).toBe(before);
});

test('a recovery code and a link work where others have used up the tries', async () => {
  const [person, invited] = [await makeStaff(portal), await makeStaff(portal, { hasApp: false })];
  const cookie = await signInStaff(portal, person);
  const renewed = await callConfirmed(portal, { cookie, person }, 'POST', '/recovery-codes', {});
  const [recovery = ''] = renewed.json<{ recoveryCodes: string[] }>().recoveryCodes;
  const link = await portal.deps.db.transaction((tx) =>
    createMailLink(portal.deps, tx, { purpose: 'staff', email: invited.email }),
  );
  const headers = { 'x-forwarded-for': '198.51.100.7' };
  await useUpWrongLinks(portal, '198.51.100.7');

  const showFromThere = async (code: string) =>
    callConsole(portal, 'POST', '/session/recovery', {
      cookie: await startAgain(person),
      headers,
      body: { code },
    });
  const welcome = (token: string | null) =>
    callConsole(portal, 'POST', '/welcome', {
      headers,
      body: { email: invited.email, token, firstName: 'Cora', lastName: 'Clerk', password: STAFF_PASSWORD },
    });
  expect((await showFromThere('0000-0000-0000-0000')).statusCode).toBe(429);
  expect((await showFromThere(recovery)).statusCode).toBe(200);
  expect((await welcome('a guess')).statusCode).toBe(429);
  expect((await welcome(new URL(link).searchParams.get('t'))).statusCode).toBe(200);
});

test(
  'wrong, unknown, customers’ and invited addresses get the same words and take the same time',
  async () => {
    const [staff, invited, customer] = [
      await makeStaff(portal),
      await makeStaff(portal, { state: 'invited', hasApp: false }),
      await makeUser(portal),
    ];
    const tries = {
      wrong: { email: staff.email, password: 'not her password' },
      unknown: { email: 'nobody@staff.example', password: STAFF_PASSWORD },
      customer: { email: customer.email, password: TEST_PASSWORD },
      invited: { email: invited.email, password: 'not her password' },
    };
    const times: Record<keyof typeof tries, number[]> = { wrong: [], unknown: [], customer: [], invited: [] };
    const answers = new Set<string>();
    for (let round = 0; round < 30; round++) {
      for (const [kind, body] of Object.entries(tries)) {
        const start = performance.now();
        const answer = await callConsole(portal, 'POST', '/session', { headers: fromElsewhere(), body });
        times[kind as keyof typeof tries].push(performance.now() - start);
        answers.add(`${answer.statusCode} ${answer.headers['set-cookie']} ${answer.body}`);
      }
    }
    expect(answers.size).toBe(1);
    for (const kind of ['unknown', 'customer', 'invited'] as const) {
      expect([kind, mannWhitneyP(times.wrong, times[kind]) > SURELY_DIFFERENT]).toEqual([kind, true]);
    }
  },
  BUSY_MACHINE_MILLISECONDS,
);

test('requesting a link takes as long for an account as for none', async () => {
  const staff = await makeStaff(portal);
  const times: [number[], number[]] = [[], []];
  for (let round = 0; round < 60; round++) {
    const start = performance.now();
    const email = round % 2 === 0 ? staff.email : 'nobody@staff.example';
    await callConsole(portal, 'POST', '/session/reset', { headers: fromElsewhere(), body: { email } });
    times[round % 2 === 0 ? 0 : 1].push(performance.now() - start);
  }
  expect(mannWhitneyP(times[0], times[1])).toBeGreaterThan(SURELY_DIFFERENT);
});
