import { sql } from 'drizzle-orm';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { fingerprint } from '../../../test/books/fingerprint.ts';
import { useTestApp } from '../../../test/build-test-app.ts';
import { useCrashes } from '../../../test/crashes/use-crashes.ts';
import { nextNumber } from '../../../test/factories/invoices.ts';
import { fromBase32 } from '../../../test/office/from-base32.ts';
import { importRows, officeRow } from '../../../test/office/office.ts';
import {
  callConfirmed,
  callConsole,
  codeOf,
  consoleHeaders,
  cookieOf,
  linkTo,
  mailsTo,
  makeStaff,
  OFFICE_SETTINGS,
  signInStaff,
  stepUpFor,
  type TestPerson,
  waitForNextCode,
} from '../../../test/office/office-people.ts';
import type { CrashPointOf } from '../../crash-points.ts';
import { stepAt, totpCode } from './factors/totp.ts';

// Each test starts its own process, on a machine that may be busy.
vi.setConfig({ testTimeout: 120_000 });

const portal = useTestApp(OFFICE_SETTINGS);
const { crashAt, testThatAllWereReached } = useCrashes(portal, 'staff');

const PASSWORD = 'nine yellow ladders by the pond';
const STAFF_ACT = { method: 'GET', path: '/api/office/staff', body: '' };

type Who = { person: TestPerson; cookie: string };
type Call = { method: 'GET' | 'POST' | 'PUT' | 'DELETE'; path: string; body?: unknown };
type Sent = Call & { cookie?: string | undefined; headers?: Record<string, string> };

let admin: Who;
beforeAll(async () => {
  const person = await makeStaff(portal);
  admin = { person, cookie: await signInStaff(portal, person) };
});

const call = ({ method, path, ...given }: Sent) => callConsole(portal, method, path, given);

/** Calls an instance that kills itself at the point, before answering. */
async function killedAt(point: CrashPointOf<'staff'>, { method, path, body, ...given }: Sent): Promise<void> {
  const crashing = await crashAt(point);
  const headers = consoleHeaders(given);
  expect(await crashing.call(method, `/office${path}`, { body, headers })).toBeNull();
  await crashing.killed();
}

/** The tables that these acts write. The killed process also runs its background tasks, which write others. */
const WRITTEN = [
  'app_user',
  'mail_token',
  'office_answer',
  'staff',
  'staff_factor',
  'staff_franchise',
  'staff_recovery_code',
  'step_up',
];
async function kept() {
  const all = await fingerprint(portal, { but: [] });
  // Leave out the portal's own acts, such as looking at the provider's lists after its start.
  const acts = await rowsOf(sql`SELECT * FROM audit_event WHERE actor <> 'portal' ORDER BY id`);
  return [...WRITTEN.map((table) => [table, all[table]]), ['acts', acts]];
}

const rowsOf = async <Row extends Record<string, unknown>>(query: ReturnType<typeof sql>) =>
  (await portal.deps.db.query.execute<Row>(query)).rows;

async function actsOf(action: string): Promise<number> {
  const [row] = await rowsOf<{ count: number }>(
    sql`SELECT count(*)::integer AS count FROM audit_event WHERE action = ${action}`,
  );
  return row?.count ?? 0;
}

describe('somebody enrols, and the process is killed', () => {
  async function invite() {
    const email = `crash${nextNumber()}@staff.example`;
    const added = await callConfirmed(portal, admin, 'POST', '/staff', { email, role: 'support' });
    expect(added.statusCode, added.body).toBe(201);
    const link = await linkTo(portal, email);
    return { ...link, firstName: 'Cora', lastName: 'Clerk', password: PASSWORD };
  }
  const welcome = (body: unknown): Call => ({ method: 'POST', path: '/welcome', body });
  async function open(body: unknown): Promise<string | undefined> {
    const welcomed = await call(welcome(body));
    expect(welcomed.statusCode, welcomed.body).toBe(200);
    return cookieOf(welcomed);
  }
  async function begin(cookie: string | undefined) {
    const begun = await call({ method: 'POST', path: '/factors/totp', body: {}, cookie });
    expect(begun.statusCode, begun.body).toBe(200);
    const { factorId, secret } = begun.json<{ factorId: string; secret: string }>();
    const bytes = fromBase32(secret);
    const confirm = (): Sent => ({
      method: 'POST',
      path: '/factors/totp/confirm',
      cookie,
      body: { factorId, code: totpCode(bytes, stepAt(portal.now)), name: 'Phone' },
    });
    return { bytes, confirm };
  }
  const start = (email: string) =>
    call({ method: 'POST', path: '/session', body: { email, password: PASSWORD } });
  const stateOf = async (email: string) =>
    (
      await rowsOf<{ state: string; codes: number }>(sql`
        SELECT s.state, (SELECT count(*)::integer FROM staff_recovery_code c WHERE c.staff_id = s.id) AS codes
          FROM staff s JOIN app_user u ON u.id = s.user_id WHERE u.email = ${email}`)
    )[0];

  test('80-inside-welcome: nothing is kept, and the same link works', async () => {
    const body = await invite();
    const before = await kept();
    await killedAt('80-inside-welcome', welcome(body));
    expect(await kept()).toEqual(before);
    expect((await start(body.email)).statusCode).toBe(401);
    await open(body);
  });

  test('81-welcomed: the password stands, the link is not spent, and enrolment goes on from it', async () => {
    const body = await invite();
    await killedAt('81-welcomed', welcome(body));
    expect(await stateOf(body.email)).toEqual({ state: 'invited', codes: 0 });
    const { confirm } = await begin(await open(body));
    expect((await call(confirm())).statusCode).toBe(200);
  });

  test('82-app-begun: there is no factor, and another app replaces it', async () => {
    const body = await invite();
    const cookie = await open(body);
    await killedAt('82-app-begun', { method: 'POST', path: '/factors/totp', body: {}, cookie });
    expect(await stateOf(body.email)).toEqual({ state: 'invited', codes: 0 });
    const { confirm } = await begin(cookie);
    expect((await call(confirm())).statusCode).toBe(200);
  });

  test('83-inside-enrolment: nothing is kept, and the same app ends the enrolment', async () => {
    const body = await invite();
    const { confirm } = await begin(await open(body));
    const before = await kept();
    await killedAt('83-inside-enrolment', confirm());
    expect(await kept()).toEqual(before);
    expect(await stateOf(body.email)).toEqual({ state: 'invited', codes: 0 });
    const confirmed = await call(confirm());
    expect(confirmed.json<{ recoveryCodes: string[] }>().recoveryCodes).toHaveLength(10);
  });

  test('84-enrolled: she is enrolled once, and comes in with password and app', async () => {
    const body = await invite();
    const { bytes, confirm } = await begin(await open(body));
    const before = await actsOf('enrol');
    await killedAt('84-enrolled', confirm());
    expect(await actsOf('enrol')).toBe(before + 1);
    expect(await stateOf(body.email)).toEqual({ state: 'active', codes: 10 });
    // The answer was lost, with the session and the recovery codes that it carried. The link is spent.
    expect((await call(confirm())).statusCode).toBe(401);
    expect((await call(welcome(body))).json()).toMatchObject({ errors: [{ code: 'InvalidToken' }] });
    const cookie = cookieOf(await start(body.email));
    waitForNextCode(portal);
    const code = totpCode(bytes, stepAt(portal.now));
    const shown = await call({ method: 'POST', path: '/session/totp', cookie, body: { code } });
    expect(shown.statusCode, shown.body).toBe(200);
    expect(shown.json()).toMatchObject({ recoveryCodesLeft: 10 });
  });
});

describe('somebody shows a second factor again, and the process is killed', () => {
  async function showing() {
    const person = await makeStaff(portal);
    const cookie = await signInStaff(portal, person);
    waitForNextCode(portal);
    const show = (): Sent => ({
      method: 'POST',
      path: '/step-up/totp',
      cookie,
      body: { code: codeOf(portal, person), act: STAFF_ACT },
    });
    return { show };
  }

  test.each(['85-code-counted', '86-inside-step-up'] as const)(
    '%s: the code is not used, and confirms when it is shown again',
    async (point) => {
      const { show } = await showing();
      const before = await kept();
      await killedAt(point, show());
      expect(await kept()).toEqual(before);
      const shown = await call(show());
      expect(shown.statusCode, shown.body).toBe(200);
    },
  );

  test('87-stepped-up: the code is used, what it gave is lost, and the next one works', async () => {
    const { show } = await showing();
    await killedAt('87-stepped-up', show());
    expect((await call(show())).json()).toMatchObject({ errors: [{ code: 'CodeUsed' }] });
    waitForNextCode(portal);
    expect((await call(show())).statusCode).toBe(200);
  });
});

describe('a confirmed act is done, and the process is killed', () => {
  async function adding() {
    const email = `added${nextNumber()}@staff.example`;
    const act: Call = { method: 'POST', path: '/staff', body: { email, role: 'support' } };
    const headers = {
      ...(await stepUpFor(portal, admin, act)),
      'idempotency-key': `add ${email}`.replace(' ', '-'),
    };
    return { email, add: { ...act, cookie: admin.cookie, headers } };
  }

  test('88-inside-confirmed-act: nothing is done, and what confirmed it is still good', async () => {
    const { email, add } = await adding();
    const before = await kept();
    await killedAt('88-inside-confirmed-act', add);
    expect(await kept()).toEqual(before);
    expect((await call(add)).statusCode).toBe(201);
    expect(await mailsTo(portal, email)).toHaveLength(1);
  });

  test('89-act-confirmed: it is done once, its repeat hears the answer, and nothing else is confirmed', async () => {
    const { email, add } = await adding();
    const before = await actsOf('add-staff');
    await killedAt('89-act-confirmed', add);
    expect(await actsOf('add-staff')).toBe(before + 1);
    expect((await call(add)).json()).toMatchObject({ errors: [{ code: 'DoneAlready' }] });
    const again = await call({ ...add, headers: { ...add.headers, 'idempotency-key': 'another' } });
    expect(again.json()).toMatchObject({ errors: [{ code: 'StepUpInvalid' }] });
    expect(await mailsTo(portal, email)).toHaveLength(1);
  });
});

describe('an API key is made or taken away, and the process is killed', () => {
  const KEY = { franchiseId: null, rights: ['view'] };
  const asked = (key: string) =>
    callConsole(portal, 'GET', '/customers', { headers: { authorization: `Bearer ${key}` } });
  const named = (name: string) =>
    rowsOf<{ revoked: boolean }>(
      sql`SELECT revoked_at IS NOT NULL AS revoked FROM office_api_key WHERE name = ${name}`,
    );

  test.each([
    ['88-inside-confirmed-act', 0, 201],
    ['89-act-confirmed', 1, 409],
  ] as const)('%s: %i key is there, and the repeat hears %i', async (point, count, status) => {
    const name = `Key ${nextNumber()}`;
    const act: Call = { method: 'POST', path: '/api-keys', body: { ...KEY, name } };
    const headers = { ...(await stepUpFor(portal, admin, act)), 'idempotency-key': `key-${name.slice(4)}` };
    const make = { ...act, cookie: admin.cookie, headers };
    await killedAt(point, make);
    expect(await named(name)).toHaveLength(count);
    const repeat = await call(make);
    expect(repeat.statusCode).toBe(status);
    if (status === 409) expect(repeat.json()).toMatchObject({ errors: [{ code: 'DoneAlready' }] });
    expect(await named(name)).toHaveLength(1);
  });

  test.each([
    ['90-inside-revoking', 200, 204],
    ['91-key-revoked', 401, 404],
  ] as const)('%s: its next call is %i, and revoking it again %i', async (point, used, repeated) => {
    const made = await callConfirmed(portal, admin, 'POST', '/api-keys', { ...KEY, name: 'A program' });
    const { apiKeyId, key } = made.json<{ apiKeyId: string; key: string }>();
    expect((await asked(key)).statusCode).toBe(200);
    const act: Call = { method: 'DELETE', path: `/api-keys/${apiKeyId}` };
    const headers = await stepUpFor(portal, admin, act);
    await killedAt(point, { ...act, cookie: admin.cookie, headers });
    expect((await asked(key)).statusCode).toBe(used);
    expect((await callConfirmed(portal, admin, 'DELETE', `/api-keys/${apiKeyId}`)).statusCode).toBe(repeated);
    expect((await asked(key)).statusCode).toBe(401);
  });
});

describe('the merchant keys of an office are replaced, and the process is killed', () => {
  const gateway = { apiKey: 'a new key', pin: '4321', publicKey: '_new' };

  test.each([
    ['92-inside-new-keys', 0],
    ['93-keys-replaced', 1],
  ] as const)('%s: %i account is there, and one after the repeat', async (point, count) => {
    const row = officeRow();
    await importRows(portal, [row]);
    const accounts = () =>
      rowsOf(sql`SELECT id FROM merchant_account WHERE franchise_id = ${Number(row.franchiseId)}`);
    const path = `/franchises/${row.franchiseId}`;
    const { version } = (await call({ method: 'GET', path, cookie: admin.cookie })).json<{
      version: string;
    }>();
    const act: Call = { method: 'PUT', path, body: { gateway } };
    const send = async (): Promise<Sent> => ({
      ...act,
      cookie: admin.cookie,
      headers: { ...(await stepUpFor(portal, admin, act)), 'if-match': `"${version}"` },
    });
    await killedAt(point, await send());
    expect(await accounts()).toHaveLength(count);
    await call(await send());
    expect(await accounts()).toHaveLength(1);
  });
});

testThatAllWereReached();
