import { sql } from 'drizzle-orm';
import { describe, expect, test, vi } from 'vitest';
import { useTestApp } from '../../../../test/build-test-app.ts';
import { isSomebodyWaitingForALock } from '../../../../test/database/overtake.ts';
import { makeInvoice } from '../../../../test/factories/invoices.ts';
import {
  callConsole,
  codeOf,
  cookieOf,
  makeStaff,
  OFFICE_SETTINGS,
  STAFF_PASSWORD,
  signInStaff,
  waitForNextCode,
} from '../../../../test/office/office-people.ts';
import { officeConnections } from '../../../app.ts';
import { NOBODYS_HASH } from '../../auth/passwords/password-hash.ts';

const portal = useTestApp({
  ...OFFICE_SETTINGS,
  CORS_ORIGINS: 'https://shop.example.com',
  // So few that a test can use them up.
  DATABASE_POOL_SIZE: '3',
});

const start = (email: string, password = STAFF_PASSWORD) =>
  callConsole(portal, 'POST', '/session', { body: { email, password } });
const show = (cookie: string | undefined, code: string) =>
  callConsole(portal, 'POST', '/session/totp', { cookie, body: { code } });
const codesOf = (answer: { json(): { errors: { code: string }[] } }) =>
  answer.json().errors.map(({ code }) => code);

describe('signing in', () => {
  test('a password, then a code, and a person is in with what her role may', async () => {
    const { franchiseId } = await makeInvoice(portal.deps.db.query);
    const clerk = await makeStaff(portal, { role: 'clerk', franchiseIds: [franchiseId] });
    const started = await start(clerk.email);
    expect(started.json()).toEqual({ next: 'totp', methods: ['totp'] });
    expect(started.headers['set-cookie']).toMatch(
      /^__Host-office=[\w-]{43}; Max-Age=43200; Path=\/; HttpOnly; Secure; SameSite=Strict$/,
    );
    const shown = await show(cookieOf(started), codeOf(portal, clerk));
    expect(shown.statusCode).toBe(200);
    expect(shown.json()).toMatchObject({
      email: clerk.email,
      role: 'clerk',
      rights: ['view', 'invite', 'refund', 'import', 'export'],
      franchises: [{ franchiseId, name: expect.any(String), timeZone: expect.any(String) }],
      recoveryCodesLeft: 0,
      isDemo: false,
    });
    const me = await callConsole(portal, 'GET', '/me', { cookie: cookieOf(shown) });
    expect(me.json()).toEqual(shown.json());
  });

  test('a password that is replaced while it is checked opens nothing', async () => {
    const admin = await makeStaff(portal);
    const started = await portal.deps.db.transaction(async (tx) => {
      // The sign-in waits here between its two looks at the person.
      await tx.execute(sql`LOCK TABLE staff IN ACCESS EXCLUSIVE MODE`);
      const answer = start(admin.email);
      await vi.waitUntil(() => isSomebodyWaitingForALock(portal), 60_000);
      await tx.execute(sql`
        UPDATE app_user SET password_hash = ${NOBODYS_HASH} WHERE email = ${admin.email}`);
      return { answer };
    });
    const answer = await started.answer;
    expect([answer.statusCode, codesOf(answer)]).toEqual([401, ['SignInFailed']]);
    expect(cookieOf(answer)).toBeUndefined();
  });

  test('a level’s cookie value is worthless above it and after it', async () => {
    const admin = await makeStaff(portal);
    const cookie = cookieOf(await start(admin.email));
    const early = await callConsole(portal, 'GET', '/me', { cookie });
    expect([early.statusCode, codesOf(early)]).toEqual([401, ['SignedOut']]);
    const shown = await show(cookie, codeOf(portal, admin));
    expect(cookieOf(shown)).not.toBe(cookie);
    waitForNextCode(portal);
    const again = await show(cookie, codeOf(portal, admin));
    expect([again.statusCode, codesOf(again)]).toEqual([401, ['SignInExpired']]);
  });

  test('a code works once, even when twenty arrive at once', async () => {
    const admin = await makeStaff(portal);
    const cookies: (string | undefined)[] = [];
    for (let at = 0; at < 4; at++) cookies.push(cookieOf(await start(admin.email)));
    waitForNextCode(portal);
    const code = codeOf(portal, admin);
    const answers = await Promise.all(Array.from({ length: 20 }, (_, at) => show(cookies[at % 4], code)));
    expect(answers.filter(({ statusCode }) => statusCode === 200)).toHaveLength(1);
  });

  test('needs one connection: as many people as there are connections finish at once', async () => {
    const connections = officeConnections(portal.deps.env.DATABASE_POOL_SIZE);
    const people = await Promise.all(
      Array.from({ length: connections }, async () => {
        const person = await makeStaff(portal);
        return { person, cookie: cookieOf(await start(person.email)) };
      }),
    );
    const beside = portal.deps.db.beside({ poolSize: 2, applicationName: 'beside' });
    const answers = await beside.transaction(async (tx) => {
      // Each sign-in waits here, in its transaction, until all of them have one.
      await tx.execute(sql`LOCK TABLE staff_factor IN EXCLUSIVE MODE`);
      const finishing = people.map(({ person, cookie }) => show(cookie, codeOf(portal, person)));
      await vi.waitUntil(async () => {
        const { rowCount } = await beside.pool.query(
          `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
        );
        return rowCount === people.length;
      }, 60_000);
      return { finishing };
    });
    const statuses = (await Promise.all(answers.finishing)).map(({ statusCode }) => statusCode);
    expect(new Set(statuses)).toEqual(new Set([200]));
    await beside.close();
  });

  test.each([-2, 2])('a code %d steps off is refused, one step off is accepted', async (steps) => {
    const admin = await makeStaff(portal);
    const off = await show(cookieOf(await start(admin.email)), codeOf(portal, admin, steps));
    expect([off.statusCode, codesOf(off)]).toEqual([401, ['CodeWrong']]);
    const near = await show(cookieOf(await start(admin.email)), codeOf(portal, admin, steps / 2));
    expect(near.statusCode).toBe(200);
  });

  test('wrong, unknown, customers’ and invited addresses get the same refusal', async () => {
    const admin = await makeStaff(portal);
    const invited = await makeStaff(portal, { state: 'invited', hasApp: false });
    await portal.deps.db.query.execute(
      sql`UPDATE app_user SET password_hash = 'x' WHERE email = 'nobody@else.example'`,
    );
    const answers = [
      await start(admin.email, 'not her password'),
      await start('nobody@staff.example'),
      await start(invited.email, 'not her password'),
    ];
    for (const answer of answers) {
      expect(answer.statusCode).toBe(401);
      expect(answer.json()).toEqual({
        title: 'Unauthorized',
        status: 401,
        detail: 'Wrong email or password.',
        errors: [{ code: 'SignInFailed', description: 'Wrong email or password.' }],
      });
      expect(answer.headers['set-cookie']).toBeUndefined();
    }
  });

  test('five wrong codes end the sign-in that was started', async () => {
    const admin = await makeStaff(portal);
    const cookie = cookieOf(await start(admin.email));
    for (let tries = 0; tries < 5; tries++) expect((await show(cookie, '000000')).statusCode).toBe(401);
    const late = await show(cookie, codeOf(portal, admin));
    expect([late.statusCode, codesOf(late)]).toEqual([401, ['SignInExpired']]);
  });
});

describe('a session', () => {
  test('that was idle for half an hour asks for a code, and goes on where it was', async () => {
    const admin = await makeStaff(portal);
    const cookie = await signInStaff(portal, admin);
    await portal.deps.db.query.execute(
      sql`UPDATE office_session SET seen_at = engine_now() - interval '31 minutes' WHERE staff_id = ${admin.staffId}`,
    );
    const idle = await callConsole(portal, 'GET', '/me', { cookie });
    expect([idle.statusCode, codesOf(idle)]).toEqual([401, ['SessionIdle']]);
    const wrong = await callConsole(portal, 'POST', '/session/resume', { cookie, body: { code: '000000' } });
    expect(wrong.json()).toMatchObject({ status: 400, errors: [{ code: 'CodeWrong', field: 'code' }] });
    waitForNextCode(portal);
    const resumed = await callConsole(portal, 'POST', '/session/resume', {
      cookie,
      body: { code: codeOf(portal, admin) },
    });
    expect(resumed.statusCode).toBe(200);
    expect((await callConsole(portal, 'GET', '/me', { cookie })).statusCode).toBe(401);
    expect((await callConsole(portal, 'GET', '/me', { cookie: cookieOf(resumed) })).statusCode).toBe(200);
  });

  test('ends by signing out', async () => {
    const cookie = await signInStaff(portal, await makeStaff(portal));
    expect((await callConsole(portal, 'DELETE', '/session', { cookie })).statusCode).toBe(204);
    expect((await callConsole(portal, 'GET', '/me', { cookie })).statusCode).toBe(401);
  });

  test('is one of five: the oldest ends', async () => {
    const admin = await makeStaff(portal);
    const cookies = [];
    for (let at = 0; at < 6; at++) cookies.push(await signInStaff(portal, admin));
    const states = await Promise.all(
      cookies.map(async (cookie) => (await callConsole(portal, 'GET', '/me', { cookie })).statusCode),
    );
    expect(states).toEqual([401, 200, 200, 200, 200, 200]);
  });

  test('needs a single cookie: two are refused', async () => {
    const cookie = await signInStaff(portal, await makeStaff(portal));
    const both = await callConsole(portal, 'GET', '/me', { cookie: `${cookie}; __Host-office=another` });
    expect(both.statusCode).toBe(400);
  });
});

describe('a write', () => {
  const FOREIGN: [string, Record<string, string | undefined>][] = [
    ['without Origin', { origin: undefined }],
    ['of a foreign page', { origin: 'https://evil.example' }],
    ['of the payers’ pages', { origin: 'https://pay.example.com' }],
    ['of a site that shows the payers’ calls', { origin: 'https://shop.example.com' }],
    ['of a sibling', { origin: 'https://sub.office.example.com' }],
    ['of an opaque origin', { origin: 'null' }],
    ['without X-Office', { 'x-office': undefined }],
    ['from another site', { 'sec-fetch-site': 'cross-site' }],
  ];
  test.each(FOREIGN)('%s is refused, signing in included', async (_what, headers) => {
    const admin = await makeStaff(portal);
    const cookie = await signInStaff(portal, admin);
    const out = await callConsole(portal, 'DELETE', '/session', { cookie, headers });
    expect([out.statusCode, codesOf(out)]).toEqual([403, ['ForeignRequest']]);
    const signIn = await callConsole(portal, 'POST', '/session', {
      headers,
      body: { email: admin.email, password: STAFF_PASSWORD },
    });
    expect([signIn.statusCode, codesOf(signIn)]).toEqual([403, ['ForeignRequest']]);
    expect((await callConsole(portal, 'GET', '/me', { cookie })).statusCode).toBe(200);
  });

  test.each([
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'text/plain',
    'text/plain; charset=utf-8',
  ])('of %s is refused', async (type) => {
    const admin = await makeStaff(portal);
    const cookie = await signInStaff(portal, admin);
    const headers = { 'content-type': type };
    const body = JSON.stringify({ shortcuts: false });
    const answers = [
      await callConsole(portal, 'POST', '/session', { headers, body }),
      await callConsole(portal, 'PUT', '/account', { cookie, headers, body }),
    ];
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([415, 415]);
    const account = await callConsole(portal, 'GET', '/me', { cookie });
    expect(account.json()).toMatchObject({ shortcuts: true });
  });

  test('is not offered to other sites, whatever they ask', async () => {
    const answer = await portal.app.inject({
      method: 'OPTIONS',
      url: '/api/office/session',
      headers: {
        host: 'office.example.com',
        origin: 'https://shop.example.com',
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'content-type,x-office',
      },
    });
    expect(answer.headers['access-control-allow-credentials']).toBeUndefined();
  });

  test('at the payers’ host is nobody’s', async () => {
    const cookie = await signInStaff(portal, await makeStaff(portal));
    const there = await callConsole(portal, 'GET', '/me', { cookie, headers: { host: 'pay.example.com' } });
    expect(there.statusCode).toBe(401);
  });
});
