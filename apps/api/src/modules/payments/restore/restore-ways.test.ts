import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { aroundCalls } from '../../../../test/around-calls.ts';
import { type ChargeRow, chargesOf } from '../../../../test/books/compare-ledgers.ts';
import { advanceEngineClock } from '../../../../test/books/engine-clock.ts';
import { sweep, sweepUntilDone } from '../../../../test/books/sweep.ts';
import { call, type TestApp, testEnv } from '../../../../test/build-test-app.ts';
import { copyDatabase, createTestDatabase, type TestDatabase } from '../../../../test/database/postgres.ts';
import { useEmulator } from '../../../../test/emulator.ts';
import { makeInvoice } from '../../../../test/factories/invoices.ts';
import { gatewaySettings, guestSale, payAsGuest } from '../../../../test/factories/payments/payments.ts';
import { makeFranchises } from '../../../../test/factories/unpaid-invoices.ts';
import { signInUser } from '../../../../test/factories/users.ts';
import { callOffice } from '../../../../test/office/office.ts';
import { buildApp } from '../../../app.ts';
import { openDeps } from '../../../open-deps.ts';
import { replaceMerchantAccount } from '../../merchant-accounts/replace-merchant-account.ts';
import { compareBooks } from '../books/compare-books.ts';
import { acknowledgeDifference } from '../review/acknowledge-difference.ts';
import { compareAfterRestore } from './compare-after-restore.ts';
import { watchOnce } from './watch-books.ts';

type Invoice = Awaited<ReturnType<typeof makeInvoice>>;
type Payments = { isClosed: boolean; isRestored: boolean; closedAccounts: number; unreadMarks: string[] };

const emulator = useEmulator();
const opened: { portal: TestApp; database: TestDatabase }[] = [];

let portal: TestApp;
let backup: TestDatabase;

async function open(database: TestDatabase, settings: Record<string, string> = {}): Promise<TestApp> {
  const merchant = await emulator.merchant('portal');
  const deps = await openDeps(
    testEnv({ DATABASE_URL: database.url, ...gatewaySettings(emulator, merchant), ...settings }),
  );
  const app = { deps, app: await buildApp(deps), now: new Date() };
  opened.push({ portal: app, database });
  return app;
}

const pay = async (app: TestApp, invoice: Invoice, merchant = 'portal') =>
  payAsGuest(app, await guestSale(emulator, invoice, { merchant }));
const codesOf = (answer: Awaited<ReturnType<typeof pay>>) =>
  answer.json<{ errors?: { code: string }[] }>().errors?.map(({ code }) => code) ?? [];
const paymentsOf = async (app: TestApp) =>
  (await callOffice(app, 'GET', '/status')).json<{ payments: Payments }>().payments;
const countOf = async (app: TestApp, table: string) =>
  (await app.deps.db.pool.query<{ count: number }>(`SELECT count(*)::integer FROM ${table}`)).rows[0]?.count;

/** Makes a payment, takes a backup and returns the invoices for the test. */
async function begin(): Promise<Record<'before' | 'lost' | 'unpaid', Invoice>> {
  await emulator.reset();
  await emulator.clearFaults();
  portal = await open(await createTestDatabase());
  const make = () => makeInvoice(portal.deps.db.query);
  const invoices = { before: await make(), lost: await make(), unpaid: await make() };
  expect((await pay(portal, invoices.before)).statusCode).toBe(200);
  await sweep(portal.deps);
  return invoices;
}

async function takeBackup(): Promise<void> {
  backup = await copyDatabase(portal.deps.env.DATABASE_URL);
}

let invoices: Awaited<ReturnType<typeof begin>>;
beforeEach(async () => {
  invoices = await begin();
});
afterAll(async () => {
  for (const { portal: each, database } of opened) {
    await each.app.close();
    await each.deps.db.close();
    await database.drop();
  }
});

describe('a database that started again', () => {
  test('takes payments after one look, which the first payer triggers', async () => {
    await takeBackup();
    const again = await open(backup);
    expect((await paymentsOf(again)).isClosed).toBe(true);
    expect((await pay(again, invoices.unpaid)).statusCode).toBe(200);
    expect(await paymentsOf(again)).toMatchObject({ isClosed: false, isRestored: false, unreadMarks: [] });
  });

  test('opens by itself before anybody pays', async () => {
    await takeBackup();
    const again = await open(backup);
    await watchOnce(again.deps);
    expect((await paymentsOf(again)).isClosed).toBe(false);
  });

  test('stays closed for one franchise only if only its list cannot be read', async () => {
    const [own] = (await makeFranchises(portal, emulator, { accounts: 2 })).slice(1);
    const theirs = await makeInvoice(portal.deps.db.query, { franchiseId: own?.franchiseId ?? 0 });
    await takeBackup();
    const again = await open(backup);
    // Paying on the portal's account looked at that account only.
    expect((await pay(again, invoices.unpaid)).statusCode).toBe(200);
    await emulator.script({ fault: 'status', status: 500, command: 'list', times: 5 });
    await compareAfterRestore(again.deps);
    expect(await paymentsOf(again)).toMatchObject({ isClosed: true, closedAccounts: 1 });
    expect((await pay(again, invoices.lost)).statusCode).toBe(200);
    expect(codesOf(await pay(again, theirs, 'north'))).toEqual(['PaymentsClosed']);
    await emulator.clearFaults();
    await advanceEngineClock(again.deps, 300);
    expect((await pay(again, theirs, 'north')).statusCode).toBe(200);
  });

  test('closes again if a list shows a payment only later', async () => {
    await takeBackup();
    expect((await pay(portal, invoices.lost)).statusCode).toBe(200);
    await sweep(portal.deps);
    const again = await open(backup);
    await emulator.script({ fault: 'list-stale', seconds: 600, command: 'list' });
    await compareAfterRestore(again.deps);
    expect((await paymentsOf(again)).isClosed).toBe(false);
    await advanceEngineClock(again.deps, 16 * 60);
    await compareAfterRestore(again.deps);
    expect(codesOf(await pay(again, invoices.lost))).toEqual(['PaymentFound']);
  });
});

/** A hundred refunds of an order that the backup knows, over more than an hour, as offices make them in a night. */
async function refundByHand(): Promise<void> {
  const byHand = (path: string, body: object) => emulator.callAs('portal', 'POST', path, body);
  const [known] = await emulator.ledger();
  await byHand('/batches/current/close', {});
  for (let refund = 1; refund <= 110; refund++) {
    if (refund === 60) await emulator.advanceClock(2 * 3_600);
    const amount = (refund / 100).toFixed(2);
    expect(await byHand('/transactions', { command: 'refund', trankey: known?.key, amount })).toMatchObject({
      result_code: 'A',
    });
  }
}

/** A page and more of another system's sales. */
async function sellAtTheShop(): Promise<void> {
  for (let sale = 0; sale < 110; sale++) {
    const creditcard = { number: '4000100011112224', expiration: '1230' };
    await emulator.callAs('portal', 'POST', '/transactions', {
      command: 'sale',
      amount: `${sale + 1}.00`,
      creditcard,
    });
  }
}

describe('how far a look reads', () => {
  test('is no less because refunds of known orders are newer than a lost payment', async () => {
    await takeBackup();
    expect((await pay(portal, invoices.lost)).statusCode).toBe(200);
    await sweep(portal.deps);
    await refundByHand();
    const again = await open(backup);
    expect(codesOf(await pay(again, invoices.lost))).toEqual(['PaymentsClosed']);
    await compareAfterRestore(again.deps);
    expect(codesOf(await pay(again, invoices.lost))).toEqual(['PaymentFound']);
  });

  test('the second time covers what the first one may have lacked, however much was paid since', async () => {
    await takeBackup();
    expect((await pay(portal, invoices.lost)).statusCode).toBe(200);
    await sweep(portal.deps);
    const again = await open(backup);
    await emulator.script({ fault: 'list-stale', seconds: 600, command: 'list' });
    await compareAfterRestore(again.deps);
    expect((await paymentsOf(again)).isClosed).toBe(false);
    // The second look is late, as after an hour in which the provider refused listings.
    await emulator.advanceClock(2 * 3_600);
    await advanceEngineClock(again.deps, 2 * 3_600);
    await sellAtTheShop();
    await emulator.advanceClock(2 * 3_600);
    await advanceEngineClock(again.deps, 2 * 3_600);
    expect((await pay(again, invoices.unpaid)).statusCode).toBe(200);
    await compareAfterRestore(again.deps);
    expect(codesOf(await pay(again, invoices.lost))).toEqual(['PaymentFound']);
  });
});

describe('how far a comparison looks back', () => {
  test('is fixed when the database comes back, whatever fails and is tried meanwhile', async () => {
    await takeBackup();
    expect((await pay(portal, invoices.lost)).statusCode).toBe(200);
    await sweep(portal.deps);
    // Three days and a page of another system's sales later.
    await emulator.advanceClock(3 * 86_400);
    await sellAtTheShop();
    const again = await open(backup);
    await advanceEngineClock(again.deps, 3 * 86_400);
    const { token } = await signInUser(again);
    const intents = await countOf(again, 'payment_intent');
    await emulator.script({ fault: 'status', status: 500, command: 'list', times: 4 });
    for (let attempt = 0; attempt < 2; attempt++) {
      const paymentKey = await emulator.mintPaymentKey();
      const body = {
        paymentKey,
        maskedCard: '4000xxxxxxxx2224',
        street: 'Maple Street 12',
        postalCode: '62704',
      };
      const card = await call(again, 'POST', '/usaepay/portal/paymentmethods', { token, body });
      expect([card.statusCode, codesOf(card)]).toEqual([503, ['PaymentsClosed']]);
      await compareAfterRestore(again.deps);
    }
    expect(await countOf(again, 'payment_intent')).toBe(intents);
    await emulator.clearFaults();
    await compareAfterRestore(again.deps);
    expect((await paymentsOf(again)).isClosed).toBe(false);
    expect(codesOf(await pay(again, invoices.lost))).toEqual(['PaymentFound']);
  });

  test('is up to a person, if they say further', async () => {
    const since = new Date(Date.now() - 30 * 86_400_000).toISOString();
    expect((await callOffice(portal, 'POST', '/restored', { body: { since } })).statusCode).toBe(200);
    expect(await paymentsOf(portal)).toMatchObject({ isClosed: true, isRestored: true });
    await compareAfterRestore(portal.deps);
    const { rows } = await portal.deps.db.pool.query<{ back: string }>(
      `SELECT detail->>'back' AS back FROM audit_event WHERE action = 'compare after restore'`,
    );
    expect(Date.parse(rows[0]?.back ?? '')).toBeLessThan(Date.parse(since));
    expect((await pay(portal, invoices.unpaid)).statusCode).toBe(200);
  });
});

describe('an older state', () => {
  test('is noticed by an order that it has, and has not accepted', async () => {
    const { gateways } = portal.deps;
    portal.deps.gateways = aroundCalls(gateways, 'authorize', async (send) => {
      await takeBackup();
      return send();
    });
    expect((await pay(portal, invoices.lost)).statusCode).toBe(200);
    portal.deps.gateways = gateways;
    await sweep(portal.deps);
    const again = await open(backup);
    // Past its deadline, so the invoice could be claimed again.
    await advanceEngineClock(again.deps, 60);
    expect(codesOf(await pay(again, invoices.lost))).toEqual(['PaymentsClosed']);
    await compareAfterRestore(again.deps);
    expect(codesOf(await pay(again, invoices.lost))).toEqual(['PaymentFound']);
  });

  test('is noticed in an account added later, which nobody can pay on before', async () => {
    const { franchiseId } = invoices.lost;
    const keys = await emulator.merchant('east');
    const add = ({ deps }: TestApp) =>
      deps.db.transaction((tx) => replaceMerchantAccount(deps, { tx, franchiseId, keys }));
    await takeBackup();
    await add(portal);
    expect((await pay(portal, invoices.lost, 'east')).statusCode).toBe(200);
    await sweep(portal.deps);
    const again = await open(backup);
    expect((await pay(again, invoices.unpaid)).statusCode).toBe(200);
    await add(again);
    expect(codesOf(await pay(again, invoices.lost, 'east'))).toEqual(['PaymentsClosed']);
    await compareAfterRestore(again.deps);
    expect(codesOf(await pay(again, invoices.lost, 'east'))).toEqual(['PaymentFound']);
  });

  test('is noticed on the portal’s account, to which a franchise returned since', async () => {
    const { franchiseId } = invoices.lost;
    const keys = await emulator.merchant('east');
    const change = (to: typeof keys | null) =>
      portal.deps.db.transaction((tx) => replaceMerchantAccount(portal.deps, { tx, franchiseId, keys: to }));
    await change(keys);
    await takeBackup();
    await change(null);
    expect((await pay(portal, invoices.lost)).statusCode).toBe(200);
    await sweep(portal.deps);
    const again = await open(backup);
    expect(codesOf(await pay(again, invoices.lost, 'east'))).toEqual(['PaymentsClosed']);
    await compareAfterRestore(again.deps);
    expect(codesOf(await pay(again, invoices.lost, 'east'))).toEqual(['PaymentFound']);
  });

  test('is compared at once, though another account was still being looked at', async () => {
    const { franchiseId } = invoices.lost;
    const keys = await emulator.merchant('east');
    await portal.deps.db.transaction((tx) => replaceMerchantAccount(portal.deps, { tx, franchiseId, keys }));
    const own = await makeInvoice(portal.deps.db.query, { franchiseId });
    await takeBackup();
    expect((await pay(portal, own, 'east')).statusCode).toBe(200);
    const again = await open(backup);
    const noticed = Promise.withResolvers<void>();
    again.deps.gateways = aroundCalls(again.deps.gateways, 'list', async (send, account) => {
      if (account.apiKey !== keys.apiKey) await noticed.promise;
      return send();
    });
    const refused = pay(again, own, 'east');
    await expect.poll(async () => (await paymentsOf(again)).isRestored).toBe(true);
    noticed.resolve();
    expect(codesOf(await refused)).toEqual(['PaymentsClosed']);
    await compareAfterRestore(again.deps);
    expect(codesOf(await pay(again, own, 'east'))).toEqual(['PaymentFound']);
  });

  test('is noticed by the nightly comparison, while two portals share an address', async () => {
    await takeBackup();
    const second = await open(backup);
    expect((await pay(second, invoices.unpaid)).statusCode).toBe(200);
    await sweep(second.deps);
    // The first portal hasn't looked since, and takes the order for its own.
    await compareBooks(portal.deps);
    expect(await paymentsOf(portal)).toMatchObject({ isClosed: true, isRestored: true });
    await compareAfterRestore(portal.deps);
    expect(codesOf(await pay(portal, invoices.unpaid))).toEqual(['PaymentFound']);
  });

  test('is noticed in a database that was lost and recreated at the same address', async () => {
    expect((await pay(portal, invoices.lost)).statusCode).toBe(200);
    await sweep(portal.deps);
    const empty = await open(await createTestDatabase());
    const { franchiseId, workOrderNumber } = invoices.lost;
    const imported = await makeInvoice(empty.deps.db.query, { franchiseId, workOrderNumber });
    expect(codesOf(await pay(empty, imported))).toEqual(['PaymentsClosed']);
    await compareAfterRestore(empty.deps);
    expect(codesOf(await pay(empty, imported))).toEqual(['PaymentFound']);
  });

  test('is noticed once: what the comparison found closes nothing at the next start', async () => {
    await takeBackup();
    const declined = await guestSale(emulator, invoices.unpaid, { card: '4000300611112224' });
    expect((await payAsGuest(portal, declined)).statusCode).toBe(400);
    const again = await open(backup);
    await compareAfterRestore(again.deps);
    expect(await paymentsOf(again)).toMatchObject({ isClosed: false });
    const later = await open(await copyDatabase(backup.url));
    expect((await pay(later, invoices.unpaid)).statusCode).toBe(200);
    expect(await countOf(later, 'lost_order')).toBe(1);
  });
});

/** Somebody captures a lost hold by hand, and refunds it there. */
async function captureByHand(): Promise<ChargeRow> {
  await emulator.script({ fault: 'reset', when: 'after', command: 'authonly' });
  expect(codesOf(await pay(portal, invoices.lost))).toContain('NotCharged');
  const byHand = (path: string, body: object) => emulator.callAs('portal', 'POST', path, body);
  const hold = (await emulator.ledger()).at(-1);
  await byHand('/transactions', { command: 'capture', trankey: hold?.key });
  await sweepUntilDone(portal.deps);
  await byHand('/batches/current/close', {});
  await byHand('/transactions', { command: 'refund', trankey: hold?.key });
  const charge = (await chargesOf(portal.deps)).at(-1);
  expect(charge).toMatchObject({ orderId: hold?.orderid, state: 'unresolved' });
  return charge as ChargeRow;
}

async function acknowledge({ orderId }: ChargeRow): Promise<void> {
  await compareBooks(portal.deps);
  const { rows } = await portal.deps.db.pool.query<{ id: number }>(
    `SELECT id FROM book_difference WHERE order_id = '${orderId}' AND kind = 'captured-but-not-accepted'`,
  );
  const [difference] = rows;
  const actor = { id: null, name: 'Hanna' };
  const note = 'Refunded there.';
  expect(await acknowledgeDifference(portal.deps, { differenceId: difference?.id ?? 0, note, actor })).toBe(
    'done',
  );
}

async function close({ id }: ChargeRow): Promise<void> {
  expect((await callOffice(portal, 'POST', `/review/${id}/close`, { body: {} })).statusCode).toBe(200);
}

describe('no older state', () => {
  test.each([
    ['acknowledged', acknowledge],
    ['closed', close],
  ])('is seen in an order captured by hand that a person has %s', async (_what, dealWith) => {
    await dealWith(await captureByHand());
    await takeBackup();
    const again = await open(backup);
    expect((await pay(again, invoices.unpaid)).statusCode).toBe(200);
    expect((await pay(again, invoices.lost)).statusCode).toBe(200);
    expect(await paymentsOf(again)).toMatchObject({ isClosed: false, isRestored: false });
    // Nor does a restore that is real find it.
    await callOffice(again, 'POST', '/restored', { body: {} });
    await compareAfterRestore(again.deps);
    expect((await callOffice(again, 'GET', '/found-payments')).json()).toEqual([]);
  });

  test('is seen in an order id that somebody typed after one of ours', async () => {
    const { orderId = '' } = (await chargesOf(portal.deps)).at(-1) ?? {};
    await emulator.callAs('portal', 'POST', '/transactions', {
      command: 'sale',
      amount: '5.00',
      orderid: `${orderId}-B`,
      creditcard: { number: '4000100011112224', expiration: '1230' },
    });
    const { differences } = await compareBooks(portal.deps);
    expect(differences).toMatchObject([{ kind: 'not-in-our-books', orderId: `${orderId}-B` }]);
    await takeBackup();
    expect((await pay(await open(backup), invoices.unpaid)).statusCode).toBe(200);
    expect(await paymentsOf(portal)).toMatchObject({ isClosed: false, isRestored: false });
  });
});

describe('an account whose keys are refused and were replaced', () => {
  const openReplaced = async (keysOf: Awaited<ReturnType<typeof emulator.merchant>>) => {
    const again = await open(backup);
    again.deps.gateways = aroundCalls(again.deps.gateways, 'list', async (send, account) =>
      account.apiKey === keysOf.apiKey ? { kind: 'not-executed', status: 401 } : send(),
    );
    return again;
  };
  const replaceWith = ({ deps }: TestApp, keys: Awaited<ReturnType<typeof emulator.merchant>>) =>
    deps.db.transaction((tx) =>
      replaceMerchantAccount(deps, { tx, franchiseId: invoices.lost.franchiseId, keys }),
    );

  test('after the backup waits for a person, and nobody pays there before', async () => {
    const [east, west] = [await emulator.merchant('east'), await emulator.merchant('west')];
    const { franchiseId } = invoices.lost;
    await replaceWith(portal, east);
    const own = await makeInvoice(portal.deps.db.query, { franchiseId });
    const other = await makeInvoice(portal.deps.db.query);
    await watchOnce(portal.deps);
    await takeBackup();
    expect((await pay(portal, own, 'east')).statusCode).toBe(200);
    expect((await pay(portal, invoices.unpaid)).statusCode).toBe(200);
    await sweep(portal.deps);

    const again = await openReplaced(east);
    await replaceWith(again, west);
    await compareAfterRestore(again.deps);
    await compareAfterRestore(again.deps);
    expect(await paymentsOf(again)).toMatchObject({ isRestored: false });
    expect(codesOf(await pay(again, own, 'west'))).toEqual(['PaymentsClosed']);
    expect((await pay(again, other)).statusCode).toBe(200);

    const found = await callOffice(again, 'GET', '/found-payments');
    const unread = found.json<{ state: string; orderId: string }[]>().find(({ state }) => state === 'unread');
    expect(unread).toMatchObject({ isUnnamed: true, franchiseName: expect.any(String), workOrders: [] });
    const path = `/found-payments/${unread?.orderId}/settle`;
    expect((await callOffice(again, 'POST', path, { body: {} })).statusCode).toBe(200);
    expect((await pay(again, own, 'west')).statusCode).toBe(200);
  });

  test('before the backup hides nothing, so payments open by themselves', async () => {
    const [east, west] = [await emulator.merchant('east'), await emulator.merchant('west')];
    await replaceWith(portal, east);
    await watchOnce(portal.deps);
    await replaceWith(portal, west);
    await advanceEngineClock(portal.deps, 10 * 60);
    const own = await makeInvoice(portal.deps.db.query, { franchiseId: invoices.lost.franchiseId });
    await watchOnce(portal.deps);
    expect((await pay(portal, invoices.lost, 'west')).statusCode).toBe(200);
    await takeBackup();
    expect((await pay(portal, invoices.unpaid)).statusCode).toBe(200);
    await sweep(portal.deps);
    const again = await openReplaced(east);
    await compareAfterRestore(again.deps);
    await compareAfterRestore(again.deps);
    const found = await callOffice(again, 'GET', '/found-payments');
    expect(found.json<{ state: string }[]>().map(({ state }) => state)).not.toContain('unread');
    expect((await pay(again, own, 'west')).statusCode).toBe(200);
  });
});

describe('a database server that hides its identifiers', () => {
  test('is named by status, and restores are noticed all the same', async () => {
    // Simulate a hosted database that hides these functions.
    await portal.deps.db.pool.query('CREATE SCHEMA hidden');
    await portal.deps.db.pool.query(
      `CREATE FUNCTION hidden.pg_control_system() RETURNS TABLE (system_identifier bigint) LANGUAGE plpgsql AS
       $$ BEGIN RAISE insufficient_privilege; END $$`,
    );
    await portal.deps.db.pool.query(
      `ALTER FUNCTION database_marks() SET search_path = hidden, pg_catalog, public`,
    );
    expect(await paymentsOf(portal)).toMatchObject({
      isClosed: true,
      unreadMarks: ["the cluster's identifier"],
    });
    expect((await pay(portal, invoices.unpaid)).statusCode).toBe(200);
    expect((await paymentsOf(portal)).isClosed).toBe(false);
  });
});
