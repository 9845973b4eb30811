import { randomUUID } from 'node:crypto';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { TEST_SECRETS, type TestApp, useTestApp } from '../../../../test/build-test-app.ts';
import { makeInvoice } from '../../../../test/factories/invoices.ts';
import { fromBase32 } from '../../../../test/office/from-base32.ts';
import { newPasskeyOf } from '../../../../test/office/office-passkeys.ts';
import {
  callConfirmed,
  callConsole,
  codeOf,
  cookieOf,
  linkTo,
  makeStaff,
  OFFICE_SETTINGS,
  STAFF_PASSWORD,
  signInStaff,
  stepUpFor,
  type TestPerson,
  waitForNextCode,
} from '../../../../test/office/office-people.ts';
import { buildApp } from '../../../app.ts';
import { openDeps } from '../../../open-deps.ts';
import { stepAt, totpCode } from '../factors/totp.ts';

const portal = useTestApp(OFFICE_SETTINGS);

/** A second instance on the same database. */
const other = {} as TestApp;
beforeAll(async () => {
  other.deps = await openDeps(portal.deps.env, { clock: () => portal.now });
  other.app = await buildApp(other.deps);
});
afterAll(async () => {
  await other.app.close();
  await other.deps.db.close();
});

const start = ({ email }: TestPerson, cookie?: string) =>
  callConsole(portal, 'POST', '/session', { cookie, body: { email, password: STAFF_PASSWORD } });
const show = (cookie: string | undefined, code: string, at = portal) =>
  callConsole(at, 'POST', '/session/totp', { cookie, body: { code } });
const refusalOf = (answer: { statusCode: number; json(): { errors: { code: string }[] } }) => [
  answer.statusCode,
  answer.json().errors[0]?.code,
];

async function signedIn(role: 'admin' | 'owner' = 'admin') {
  const franchiseIds = role === 'owner' ? [(await makeInvoice(portal.deps.db.query)).franchiseId] : [];
  const person = await makeStaff(portal, { role, franchiseIds });
  return { person, cookie: await signInStaff(portal, person), franchiseIds };
}

describe('a code', () => {
  test('is good once, whichever instance is asked', async () => {
    const person = await makeStaff(portal);
    const cookies = [cookieOf(await start(person)), cookieOf(await start(person))];
    waitForNextCode(portal);
    const code = codeOf(portal, person);
    const answers = await Promise.all([show(cookies[0], code), show(cookies[1], code, other)]);
    expect(answers.map(({ statusCode }) => statusCode).toSorted()).toEqual([200, 401]);
    const refused = answers.find(({ statusCode }) => statusCode === 401);
    expect(refused?.json()).toMatchObject({
      detail: 'This code was used already. Wait for the next one.',
      errors: [{ code: 'CodeUsed' }],
    });
  });

  test('that signed somebody in confirms nothing afterwards', async () => {
    const { person, cookie } = await signedIn();
    const body = {
      code: codeOf(portal, person),
      act: { method: 'GET', path: '/api/office/staff', body: '' },
    };
    const again = await callConsole(portal, 'POST', '/step-up/totp', { cookie, body });
    expect(again.json()).toMatchObject({ status: 400, errors: [{ code: 'CodeUsed', field: 'code' }] });
  });

  test('does not work again after the host’s clock was set back', async () => {
    const person = await makeStaff(portal);
    waitForNextCode(portal);
    const code = codeOf(portal, person);
    expect((await show(cookieOf(await start(person)), code)).statusCode).toBe(200);
    const later = portal.now;
    for (const minutes of [1, 60]) {
      portal.now = new Date(later.getTime() - minutes * 60_000);
      for (const each of [code, codeOf(portal, person)]) {
        const cookie = cookieOf(await start(person));
        expect((await show(cookie, each)).statusCode).toBe(401);
      }
    }
    portal.now = later;
  });
});

describe('a session', () => {
  test('does not take the value that a browser came with', async () => {
    const person = await makeStaff(portal);
    const planted = `__Host-office=${'a'.repeat(43)}`;
    const started = await start(person, planted);
    expect(started.statusCode).toBe(200);
    expect(cookieOf(started)).not.toBe(planted);
    waitForNextCode(portal);
    expect(refusalOf(await show(planted, codeOf(portal, person)))).toEqual([401, 'SignInExpired']);
    const shown = await show(cookieOf(started), codeOf(portal, person));
    expect(cookieOf(shown)).not.toBe(planted);
    expect((await callConsole(portal, 'GET', '/me', { cookie: planted })).statusCode).toBe(401);
  });

  test('ends after twelve hours, however busy; calls in the background do not keep it', async () => {
    const { cookie, person } = await signedIn();
    const of = sql`staff_id = ${person.staffId} AND level = 'full'`;
    const read = (headers: Record<string, string> = {}) =>
      callConsole(portal, 'GET', '/me', { cookie, headers });
    const seen = async () => {
      const { rows } = await portal.deps.db.query.execute(
        sql`SELECT seen_at FROM office_session WHERE ${of}`,
      );
      return rows[0]?.seen_at;
    };
    await portal.deps.db.query.execute(
      sql`UPDATE office_session SET seen_at = engine_now() - interval '29 minutes' WHERE ${of}`,
    );
    const before = await seen();
    expect((await read({ 'x-background': '1' })).statusCode).toBe(200);
    expect(await seen()).toEqual(before);
    expect((await read()).statusCode).toBe(200);
    expect(await seen()).not.toEqual(before);
    await portal.deps.db.query.execute(
      sql`UPDATE office_session SET expires_at = engine_now() WHERE ${of} AND ended_at IS NULL`,
    );
    expect(refusalOf(await read())).toEqual([401, 'SignedOut']);
  });
});

describe('what was confirmed', () => {
  test('does not cover another query', async () => {
    const who = await signedIn();
    const headers = await stepUpFor(portal, who, { method: 'GET', path: '/payments.csv?order=newest' });
    const read = (path: string) => callConsole(portal, 'GET', path, { cookie: who.cookie, headers });
    expect(refusalOf(await read('/payments.csv?order=oldest'))).toEqual([403, 'StepUpInvalid']);
    expect(refusalOf(await read('/payments.csv'))).toEqual([403, 'StepUpInvalid']);
    expect((await read('/payments.csv?order=newest')).statusCode).toBe(200);
    expect(refusalOf(await read('/payments.csv?order=newest'))).toEqual([403, 'StepUpInvalid']);
  });

  test('may be in a download’s URL, for a minute', async () => {
    const who = await signedIn();
    const link = async () => {
      const header = await stepUpFor(portal, who, { method: 'GET', path: '/audit.csv' });
      return `/audit.csv?stepUp=${header['x-step-up']}`;
    };
    const read = (path: string) => callConsole(portal, 'GET', path, { cookie: who.cookie });
    expect((await read(await link())).statusCode).toBe(200);
    const late = await link();
    await portal.deps.db.query.execute(
      sql`UPDATE step_up SET expires_at = expires_at - interval '61 seconds' WHERE used_at IS NULL`,
    );
    expect(refusalOf(await read(late))).toEqual([403, 'StepUpInvalid']);
  });

  test('goes with its session', async () => {
    const who = await signedIn();
    const body = { name: 'A program', franchiseId: null, rights: ['view'] };
    const headers = await stepUpFor(portal, who, { method: 'POST', path: '/api-keys', body });
    await callConsole(portal, 'DELETE', '/session', { cookie: who.cookie });
    const add = (cookie: string) => callConsole(portal, 'POST', '/api-keys', { cookie, headers, body });
    expect((await add(who.cookie)).statusCode).toBe(401);
    waitForNextCode(portal);
    expect(refusalOf(await add(await signInStaff(portal, who.person)))).toEqual([403, 'StepUpInvalid']);
  });
});

describe('a link', () => {
  test('is spent only by its own POST', async () => {
    const email = 'invited@staff.example';
    const body = { email, role: 'admin' };
    await callConfirmed(portal, await signedIn(), 'POST', '/staff', body);
    const link = await linkTo(portal, email);
    const query = new URLSearchParams({ e: link.email, t: link.token });
    for (const path of ['/welcome', '/session/reset/confirm', '/session/demo']) {
      for (const method of ['GET', 'PUT', 'DELETE'] as const) {
        const answer = await callConsole(portal, method, `${path}?${query}`);
        expect([404, 405]).toContain(answer.statusCode);
      }
    }
    const names = { firstName: 'Cora', lastName: 'Clerk', password: 'nine yellow ladders' };
    const welcomed = await callConsole(portal, 'POST', '/welcome', { body: { ...link, ...names } });
    expect(welcomed.json()).toEqual({ next: 'enrol' });
  });
});

describe('what is shown once is not repeated under its Idempotency-Key', () => {
  type Who = Awaited<ReturnType<typeof signedIn>>;
  const SECRETS: [string, string, unknown, number][] = [
    ['an API key', '/api-keys', { name: 'A program', franchiseId: null, rights: ['view'] }, 201],
    ['recovery codes', '/recovery-codes', {}, 201],
    ['an app’s secret', '/factors/totp', {}, 200],
  ];
  const send = async (who: Who, path: string, { key, body }: { key: string; body: unknown }) => {
    const stepUp = await stepUpFor(portal, who, { method: 'POST', path, body });
    const headers = { ...stepUp, 'idempotency-key': key };
    return callConsole(portal, 'POST', path, { cookie: who.cookie, headers, body });
  };

  /** An app that has its secret and shows a code. */
  const newAppOf = async (cookie: string | undefined) => {
    const made = await callConsole(portal, 'POST', '/factors/totp', { cookie, body: {} });
    const { factorId, secret } = made.json<{ factorId: string; secret: string }>();
    return { factorId, code: totpCode(fromBase32(secret), stepAt(portal.now)), name: 'Phone' };
  };

  test.each(SECRETS)('%s', async (what, path, body, status) => {
    const who = await signedIn();
    const given = { key: `once-${what.length}`, body };
    expect((await send(who, path, given)).statusCode).toBe(status);
    const again = await send(who, path, given);
    expect(again.json()).toMatchObject({
      status: 409,
      detail:
        'This was done already, and what it showed is not shown again. If you missed it, make a new one.',
      errors: [{ code: 'DoneAlready' }],
    });
    const { rows } = await portal.deps.db.query.execute(
      sql`SELECT body FROM office_answer WHERE actor_id = ${who.person.staffId}`,
    );
    expect(rows).toEqual([{ body: null }]);
  });

  test.each(['totp', 'passkey'] as const)('nor is a %s that was added', async (kind) => {
    const who = await signedIn();
    const body = kind === 'totp' ? await newAppOf(who.cookie) : (await newPasskeyOf(portal, who)).body;
    const path = kind === 'totp' ? '/factors/totp/confirm' : '/factors/passkey';
    const given = { key: `add-${kind}`, body };
    expect((await send(who, path, given)).statusCode).toBe(200);
    const headers = { 'idempotency-key': given.key };
    const again = await callConsole(portal, 'POST', path, { cookie: who.cookie, headers, body });
    expect(refusalOf(again)).toEqual([409, 'DoneAlready']);
  });

  test('nor are the recovery codes of a new enrolment, while a wrong code before it keeps the key usable', async () => {
    const email = `new-${randomUUID()}@staff.example`;
    await callConfirmed(portal, await signedIn(), 'POST', '/staff', { email, role: 'support' });
    const names = { firstName: 'Cora', lastName: 'Clerk', password: 'nine yellow ladders' };
    const welcome = { ...(await linkTo(portal, email)), ...names };
    const cookie = cookieOf(await callConsole(portal, 'POST', '/welcome', { body: welcome }));
    const body = await newAppOf(cookie);
    const confirm = (key: string, as: string | undefined, code = body.code) =>
      callConsole(portal, 'POST', '/factors/totp/confirm', {
        cookie: as,
        headers: { 'idempotency-key': key },
        body: { ...body, code },
      });
    const wrong = body.code === '000000' ? '000001' : '000000';
    expect(refusalOf(await confirm('first-app', cookie, wrong))).toEqual([400, 'CodeWrong']);
    const enrolled = await confirm('first-app', cookie);
    expect(enrolled.json()).toMatchObject({ recoveryCodes: expect.any(Array) });
    expect(refusalOf(await confirm('first-app', cookieOf(enrolled)))).toEqual([409, 'DoneAlready']);
  });

  test('nor is a person’s link, which no staff see at all', async () => {
    const who = await signedIn();
    const { staffId } = await makeStaff(portal, { state: 'invited', hasApp: false });
    const given = { key: 'link-once', body: undefined };
    const path = `/staff/${staffId}/link`;
    const sent = await send(who, path, given);
    expect([sent.statusCode < 300, sent.body.includes('welcome?')]).toEqual([true, false]);
    expect(refusalOf(await send(who, path, given))).toEqual([409, 'DoneAlready']);
  });
});

test('an owner adds nobody to headquarters', async () => {
  const owner = await signedIn('owner');
  const body = { email: 'hq@staff.example', role: 'admin' };
  const refused = await callConfirmed(portal, owner, 'POST', '/staff', body);
  expect(refusalOf(refused)).toEqual([403, 'NotAllowed']);
});

describe('without an operator’s key', () => {
  const bare = useTestApp({ OFFICE_URL: OFFICE_SETTINGS.OFFICE_URL });

  test.each([
    ['GET', '/staff', undefined],
    ['POST', '/staff', { email: 'a@staff.example', role: 'admin' }],
    ['POST', '/staff/confirm', { all: true }],
    ['DELETE', '/staff/00000000-0000-4000-8000-00000000abcd/factors', undefined],
  ] as const)('no key may %s %s', async (method, path, body) => {
    const headers = { authorization: `Bearer ${TEST_SECRETS.officeApiKey}` };
    const answer = await callConsole(bare, method, path, { headers, body });
    expect(refusalOf(answer)).toEqual([403, 'NotAllowed']);
    const operator = { authorization: `Bearer ${OFFICE_SETTINGS.OPERATOR_KEY}` };
    expect((await callConsole(bare, method, path, { headers: operator, body })).statusCode).toBe(401);
  });
});
