import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { sql } from 'drizzle-orm';
import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { chargesOf } from '../../../../test/books/compare-ledgers.ts';
import { advanceEngineClock } from '../../../../test/books/engine-clock.ts';
import { sweep } from '../../../../test/books/sweep.ts';
import { call, testEnv } from '../../../../test/build-test-app.ts';
import { isSomebodyWaitingForALock } from '../../../../test/database/overtake.ts';
import { makeInvoice } from '../../../../test/factories/invoices.ts';
import { gatewaySettings } from '../../../../test/factories/payments/payments.ts';
import { signInUser } from '../../../../test/factories/users.ts';
import { callOffice } from '../../../../test/office/office.ts';
import { callConsole, makeSignedIn, OFFICE_SETTINGS } from '../../../../test/office/office-people.ts';
import { usePayments } from '../../../../test/use-payments.ts';
import { openDeps } from '../../../open-deps.ts';
import { currentEpoch } from '../epoch/begin-epoch.ts';
import { lockDeployment, storeEpoch } from '../epoch/epoch.queries.ts';
import { acknowledgeFoundPayment } from './acknowledge-found-payment.ts';
import { compareAfterRestore } from './compare-after-restore.ts';
import { listFoundPayments } from './list-found-payments.ts';
import { lookAtAccounts } from './look-at-accounts.ts';

const { emulator, portal, guestPays, db } = usePayments(() => OFFICE_SETTINGS);
const KEY = `bpo_Chicago1_${'k'.repeat(43)}`;
const LOOKS_CONFIRM_SECONDS = 16 * 60;

let cookie: string;
let refreshToken: string;

const meStatus = async () => (await callConsole(portal, 'GET', '/me', { cookie })).statusCode;
const keyStatus = async () =>
  (await callConsole(portal, 'GET', '/customers', { headers: { authorization: `Bearer ${KEY}` } }))
    .statusCode;
/** Of a payer who signed in before. */
async function payerStatus(): Promise<number> {
  const answer = await call(portal, 'POST', '/authentication/refresh', { body: { refreshToken } });
  if (answer.statusCode === 200) ({ refreshToken } = answer.json());
  return answer.statusCode;
}
const access = async () => ({
  session: await meStatus(),
  key: await keyStatus(),
  payer: await payerStatus(),
});
const GOOD = { session: 200, key: 200, payer: 200 };
const HELD = { session: 401, key: 401, payer: 401 };

async function confirmAll(): Promise<void> {
  const headers = { authorization: `Bearer ${OFFICE_SETTINGS.OPERATOR_KEY}` };
  const confirmed = await callConsole(portal, 'POST', '/staff/confirm', { headers, body: { all: true } });
  expect(confirmed.statusCode).toBe(200);
}

/** Staff and the key are in, as the operator left them, and a payer has signed in. */
async function letEverybodyIn(): Promise<void> {
  await confirmAll();
  ({ cookie } = await makeSignedIn(portal));
  ({ refreshToken } = await signInUser(portal));
  expect(await access()).toEqual(GOOD);
}

/** Restores, compares and lets everybody in again. */
async function getOverRestore(): Promise<void> {
  expect((await callOffice(portal, 'POST', '/restored', { body: {} })).statusCode).toBe(200);
  await compareAfterRestore(portal.deps);
  await letEverybodyIn();
}

/** A payment of these books that only the provider knows. */
async function showUnknownOrder(): Promise<void> {
  const { orderId = '' } = (await chargesOf(portal.deps)).at(-1) ?? {};
  const made = await emulator.callAs('portal', 'POST', '/transactions', {
    command: 'sale',
    amount: '5.00',
    orderid: orderId.replace(/[0-9a-f]{24}$/, randomBytes(12).toString('hex')),
    creditcard: { number: '4000100011112224', expiration: '1230' },
  });
  expect(made).toMatchObject({ result_code: 'A' });
}

const look = (deps = portal.deps) => lookAtAccounts(deps, { franchiseIds: null, patience: 'task' });
const doubt = () => currentEpoch(portal.deps, { doubt: { before: new Date() } });

/** Marks of the epoch's row, by their place in `database_marks()`. */
const CLUSTER = 1;
const TIME_LINE = 3;
const START = 4;

/** As if the epoch had been stored in a database that differed by these marks. */
async function storeOtherMarks(...places: number[]): Promise<void> {
  await db().execute(sql`
    UPDATE books_epoch e SET mark = concat_ws('/', (
      SELECT string_agg(CASE WHEN place = ANY(${`{${places.join(',')}}`}::integer[]) THEN 'other' ELSE part END, '/'
                        ORDER BY place)
        FROM database_marks() m, unnest(string_to_array(m.marks, '/')) WITH ORDINALITY AS parts (part, place)),
      pg_current_xact_id()::xid)`);
}

/** Another instance, whose connections see a cluster that waits for a standby. */
async function openWithStandby() {
  await db().execute(sql`CREATE SCHEMA strict`);
  await db().execute(sql`
    CREATE FUNCTION strict.current_setting(name text) RETURNS text LANGUAGE sql AS $$
      SELECT CASE name WHEN 'synchronous_standby_names' THEN '*' ELSE 'on' END $$`);
  const url = new URL(portal.deps.env.DATABASE_URL);
  url.searchParams.set('options', '-c search_path=strict,pg_catalog,public');
  const settings = gatewaySettings(emulator, await emulator.merchant('portal'));
  return openDeps(testEnv({ DATABASE_URL: url.href, ...settings }));
}

const epochOf = async () => (await currentEpoch(portal.deps)).epoch;
const heldFor = async () => {
  const { rows } = await db().execute<{ signs: string[] }>(sql`
    SELECT detail->'signs' AS signs FROM audit_event WHERE action = 'hold-access' ORDER BY id`);
  return rows.map(({ signs }) => signs);
};

beforeAll(async () => {
  expect((await guestPays(await makeInvoice(db()))).statusCode).toBe(200);
  await sweep(portal.deps);
  await db().execute(sql`
    INSERT INTO office_api_key (public_id, name, key_hash, rights)
    VALUES ('Chicago1', 'Chicago', ${createHash('sha256').update(KEY).digest()}, '{view}')`);
});
beforeEach(() => letEverybodyIn());
// A found payment that names no work orders keeps its account closed.
afterEach(async () => {
  const actor = { id: null, name: 'Hanna' };
  for (const { orderId } of await listFoundPayments(portal.deps)) {
    await acknowledgeFoundPayment(portal.deps, { orderId, actor });
  }
});

test('whether a payer signed in before a restore doesn’t depend on a clock that was wrong', async () => {
  const restore = () => callOffice(portal, 'POST', '/restored', { body: {} });
  await advanceEngineClock(portal.deps, 3_600);
  await restore();
  await advanceEngineClock(portal.deps, -3_600);
  ({ refreshToken } = await signInUser(portal));
  expect(await payerStatus()).toBe(200);

  await advanceEngineClock(portal.deps, 3_600);
  ({ refreshToken } = await signInUser(portal));
  await advanceEngineClock(portal.deps, -3_600);
  await restore();
  expect(await payerStatus()).toBe(401);
  await compareAfterRestore(portal.deps);
});

describe('a restore that only the provider’s list shows', () => {
  beforeEach(() => getOverRestore());

  test('holds access, however often it was held and confirmed before', async () => {
    await doubt();
    await showUnknownOrder();
    const error = vi.spyOn(portal.deps.log, 'error');
    await look();
    expect(await access()).toEqual(HELD);
    const line = { signs: ['an unknown order'], alert: 'access is held' };
    expect(error).toHaveBeenCalledWith(line, expect.any(String));
    error.mockRestore();
    await compareAfterRestore(portal.deps);
  });

  test('holds access if it shows at another address, which these books never served', async () => {
    const settings = gatewaySettings(emulator, await emulator.merchant('portal'));
    const recovery = await openDeps(
      testEnv({
        DATABASE_URL: portal.deps.env.DATABASE_URL,
        PUBLIC_URL: 'https://recovery.example.com',
        ...settings,
      }),
    );
    await showUnknownOrder();
    await look(recovery);
    expect(await access()).toEqual(HELD);
    await compareAfterRestore(recovery);
    await recovery.db.close();
  });

  test('holds access once the looks of an epoch that held it were confirmed', async () => {
    await advanceEngineClock(portal.deps, LOOKS_CONFIRM_SECONDS);
    await look();
    await letEverybodyIn();
    await showUnknownOrder();
    expect((await callOffice(portal, 'POST', '/reconcile', { body: {} })).statusCode).toBe(200);
    expect(await access()).toEqual(HELD);
    await compareAfterRestore(portal.deps);
  });

  test('doesn’t hold again what was confirmed since its epoch held it', async () => {
    expect((await callOffice(portal, 'POST', '/restored', { body: {} })).statusCode).toBe(200);
    // Listed late: the comparison didn't show it yet.
    await compareAfterRestore(portal.deps);
    await letEverybodyIn();
    await showUnknownOrder();
    await advanceEngineClock(portal.deps, LOOKS_CONFIRM_SECONDS);
    const error = vi.spyOn(portal.deps.log, 'error');
    await look();
    const alert = 'access is held';
    expect(error).not.toHaveBeenCalledWith(expect.objectContaining({ alert }), expect.any(String));
    error.mockRestore();
    const closed = await callOffice(portal, 'GET', '/status');
    expect(closed.json()).toMatchObject({ payments: { isRestored: true } });
    expect(await access()).toEqual(GOOD);
    await compareAfterRestore(portal.deps);
  });
});

describe('an epoch of the books', () => {
  test('holds nothing if only Postgres started again', async () => {
    const before = await epochOf();
    await storeOtherMarks(START);
    expect(await epochOf()).not.toBe(before);
    expect(await access()).toEqual(GOOD);
    await look();
    expect(await access()).toEqual(GOOD);
    expect((await guestPays(await makeInvoice(db()))).statusCode).toBe(200);
  });

  test.each([
    ['another cluster', CLUSTER, 'cluster'],
    ['another time line', TIME_LINE, 'time line'],
  ])('holds access in %s, and says so', async (_what, place, sign) => {
    const error = vi.spyOn(portal.deps.log, 'error');
    await storeOtherMarks(place, START);
    await epochOf();
    expect(await access()).toEqual(HELD);
    expect((await heldFor()).at(-1)).toEqual([sign]);
    expect(error).toHaveBeenCalledWith({ signs: [sign], alert: 'access is held' }, expect.any(String));
    error.mockRestore();
    await look();
  });

  test('that began with a hold covers what the lists show of the same restore, however late', async () => {
    await storeOtherMarks(CLUSTER, START);
    await showUnknownOrder();
    await look();
    expect(await access()).toEqual(HELD);
    await compareAfterRestore(portal.deps);
    await letEverybodyIn();
    // Listed late: the comparison didn't show it yet.
    await showUnknownOrder();
    await advanceEngineClock(portal.deps, LOOKS_CONFIRM_SECONDS);
    await look();
    const closed = await callOffice(portal, 'GET', '/status');
    expect(closed.json()).toMatchObject({ payments: { isRestored: true } });
    expect(await access()).toEqual(GOOD);
    await compareAfterRestore(portal.deps);
  });

  test('holds nothing after the promotion of a standby that had every commit', async () => {
    const deps = await openWithStandby();
    const before = await epochOf();
    await storeOtherMarks(TIME_LINE, START);
    expect((await currentEpoch(deps)).epoch).not.toBe(before);
    expect(await access()).toEqual(GOOD);
    await storeOtherMarks(CLUSTER, TIME_LINE, START);
    await currentEpoch(deps);
    expect(await access()).toEqual(HELD);
    await look();
    await deps.db.close();
  });

  test('holds access if this instance saw a payment that the database lacks, though another one began it', async () => {
    portal.deps.books.remember({ intentId: randomUUID(), createdAtMilliseconds: Date.now() });
    await storeOtherMarks(START);
    const noticing = await portal.deps.db.transaction(async (tx) => {
      await lockDeployment(tx, { publicUrl: portal.deps.env.PUBLIC_URL });
      const asked = currentEpoch(portal.deps);
      await vi.waitUntil(() => isSomebodyWaitingForALock(portal), 60_000);
      await storeEpoch(tx, { publicUrl: portal.deps.env.PUBLIC_URL });
      return { asked };
    });
    const { epoch } = await noticing.asked;
    expect(await access()).toEqual(HELD);
    expect(await epochOf()).toBe(epoch);
    await look();
  });
});
