import { randomUUID } from 'node:crypto';
import { sql } from 'drizzle-orm';
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { aroundCalls } from '../../../../test/around-calls.ts';
import { advanceEngineClock } from '../../../../test/books/engine-clock.ts';
import { sweepUntilDone } from '../../../../test/books/sweep.ts';
import { makeInvoice } from '../../../../test/factories/invoices.ts';
import { makeRefundable, requestRefund } from '../../../../test/factories/requested-refunds.ts';
import {
  addCard,
  makeUnpaidInvoices,
  payAsCustomer,
  portalSale,
} from '../../../../test/factories/unpaid-invoices.ts';
import { signInUser } from '../../../../test/factories/users.ts';
import { callOffice } from '../../../../test/office/office.ts';
import { codeOf, refundOf, useRefundDesk } from '../../../../test/office/refund-desk.ts';
import { replaceMerchantAccount } from '../../merchant-accounts/replace-merchant-account.ts';
import { currentEpoch } from '../epoch/begin-epoch.ts';
import { compareAfterRestore } from './compare-after-restore.ts';

const { emulator, portal, db, desk, guestPays, sign, call } = useRefundDesk();

type Invoice = Awaited<ReturnType<typeof makeInvoice>>;
type Paid = Pick<Invoice, 'invoiceId' | 'franchiseId' | 'workOrderNumber'>;

/** At the provider; one for each test, so that none is found on another test's list. */
const MERCHANTS = ['north', 'east', 'south', 'west'];

/** A franchise whose own account's keys the provider refuses. */
let theirs: number;
let merchant: string;
let refusedKey: string | null = null;
let refundIds: Record<'here' | 'there', string>;
/** Both of one payment. */
let shared: Record<'here' | 'there', Invoice>;
let later: Invoice;

const setKeys = async (franchiseId: number, name: string) => {
  const keys = await emulator.merchant(name);
  return portal.deps.db.transaction((tx) => replaceMerchantAccount(portal.deps, { tx, franchiseId, keys }));
};

const paid = async (franchiseId: number, name: string): Promise<Invoice> => {
  const invoice = await makeInvoice(db(), { franchiseId });
  expect((await guestPays(invoice, { merchant: name })).statusCode).toBe(200);
  return invoice;
};

async function payShared(): Promise<typeof shared> {
  const user = await signInUser(portal);
  const franchises = [
    { franchiseId: desk.sale.franchiseId, merchant: 'portal' },
    { franchiseId: theirs, merchant },
  ];
  const [here, there] = await makeUnpaidInvoices(portal, { user, franchises, invoices: 2 });
  if (!here || !there) throw new Error('too few invoices');
  const paymentMethodId = await addCard(portal, emulator, user);
  const answer = await payAsCustomer(portal, user.token, portalSale([here, there], { paymentMethodId }));
  expect(answer.statusCode).toBe(200);
  return { here, there };
}

beforeAll(() => {
  portal.deps.gateways = aroundCalls(portal.deps.gateways, 'list', async (send, { apiKey }) =>
    apiKey === refusedKey ? { kind: 'not-executed', status: 401 } : send(),
  );
});

beforeEach(async () => {
  merchant = MERCHANTS.shift() ?? '';
  theirs = (await makeInvoice(db())).franchiseId;
  await setKeys(theirs, merchant);
  const held = { here: await paid(desk.sale.franchiseId, 'portal'), there: await paid(theirs, merchant) };
  later = await paid(theirs, merchant);
  shared = await payShared();
  await sweepUntilDone(portal.deps);
  for (const name of ['portal', merchant]) await emulator.callAs(name, 'POST', '/batches/current/close');
  const waiting = async (invoice: Invoice) =>
    requestRefund(portal.deps, await makeRefundable(db(), invoice), { invoiceCents: 10_00, taxCents: 0 });
  refundIds = { here: await waiting(held.here), there: await waiting(held.there) };

  refusedKey = (await emulator.merchant(merchant)).apiKey;
  expect((await callOffice(portal, 'POST', '/restored', { body: {} })).statusCode).toBe(200);
  await compareAfterRestore(portal.deps);
});

afterEach(async () => {
  refusedKey = null;
  await tryAgain();
  for (const { orderId } of await found()) await acknowledge(orderId);
  expect(await restoreOf()).toEqual({ isRestored: false, closedAccounts: 0 });
});

const restoreOf = async () => {
  const answer = await callOffice(portal, 'GET', '/status');
  const { isRestored, closedAccounts } = answer.json<{
    payments: { isRestored: boolean; closedAccounts: number };
  }>().payments;
  return { isRestored, closedAccounts };
};

async function ask(invoice: Paid) {
  const { franchiseId, workOrderNumber } = invoice;
  const { paymentId } = await makeRefundable(db(), invoice);
  const who = await sign('clerk', [franchiseId]);
  const body = {
    reason: 'complaint',
    lines: [{ franchiseId, workOrderNumber, amount: 5, effect: 'due-again' }],
  };
  return call(who, 'POST', `/payments/${paymentId}/refunds`, { body, key: randomUUID() });
}

async function expectMade(invoice: Paid): Promise<void> {
  const answer = await ask(invoice);
  expect(answer.statusCode, answer.body).toBe(202);
  // A refund of a charge from before the restore waits for the second look.
  await advanceEngineClock(portal.deps, 16 * 60);
  await compareAfterRestore(portal.deps);
  await sweepUntilDone(portal.deps);
  const { refundId } = refundOf(answer.json());
  const { rows } = await db().execute<{ state: string }>(
    sql`SELECT state FROM refund WHERE id = ${refundId}`,
  );
  expect(rows).toEqual([{ state: 'made' }]);
}

async function expectClosed(invoice: Paid): Promise<void> {
  const answer = await ask(invoice);
  expect([answer.statusCode, codeOf(answer)]).toEqual([503, 'RefundsClosed']);
}

const heldFor = async () => {
  const { rows } = await db().execute<{ refundId: string; heldFor: string }>(sql`
    SELECT id AS "refundId", held_for AS "heldFor" FROM refund WHERE state = 'held'`);
  return Object.fromEntries(rows.map((row) => [row.refundId, row.heldFor]));
};

const comparisons = async () => {
  const { rows } = await db().execute<{ count: number }>(sql`
    SELECT count(*)::integer AS count FROM audit_event WHERE action = 'compare after restore'`);
  return rows[0]?.count;
};

const found = async () =>
  (await callOffice(portal, 'GET', '/found-payments')).json<{ orderId: string; state: string }[]>();

const acknowledge = (orderId = '') =>
  callOffice(portal, 'POST', `/found-payments/${orderId}/settle`, { body: {} });

async function tryAgain(): Promise<void> {
  await advanceEngineClock(portal.deps, 300);
  await compareAfterRestore(portal.deps);
}

/** A payment that these books lost, on the account whose keys are refused. */
async function loseOrder(): Promise<string> {
  const { rows } = await db().execute<{ prefix: string }>(sql`SELECT order_prefix AS prefix FROM deployment`);
  const orderid = `${rows[0]?.prefix}-${randomUUID().replaceAll('-', '').slice(0, 24)}`;
  const creditcard = { number: '4000100011112224', expiration: '1230' };
  await emulator.callAs(merchant, 'POST', '/transactions', {
    command: 'sale',
    amount: '77.00',
    orderid,
    creditcard,
  });
  return orderid;
}

describe('after a restore, an account in use whose keys are refused', () => {
  test('stays closed by itself, while refunds of the others are held and open', async () => {
    expect(await restoreOf()).toEqual({ isRestored: false, closedAccounts: 1 });
    expect(await heldFor()).toEqual({ [refundIds.here]: 'restored', [refundIds.there]: 'restored' });
    const here = await makeInvoice(db(), { franchiseId: desk.sale.franchiseId });
    expect((await guestPays(here)).statusCode).toBe(200);
    const there = await makeInvoice(db(), { franchiseId: theirs });
    expect((await guestPays(there, { merchant })).statusCode).toBe(503);
    await expectMade(desk.sale);
    await expectClosed(later);
    await expectClosed(shared.there);
    await expectClosed(shared.here);
  });

  test('is compared once its keys work, which closes nothing else', async () => {
    const orderId = await loseOrder();
    await tryAgain();
    await expectClosed(later);
    const before = await comparisons();
    refusedKey = null;
    await tryAgain();
    expect(await restoreOf()).toEqual({ isRestored: false, closedAccounts: 1 });
    expect(await found()).toMatchObject([{ orderId, state: 'captured' }]);
    expect(await comparisons()).toBe((before ?? 0) + 1);
    await acknowledge(orderId);
    await expectMade(later);
    await expectMade(shared.here);
  });

  test('keeps no other account closed at a start of Postgres, and is still compared in full', async () => {
    const before = await comparisons();
    const orderId = await loseOrder();
    await db().execute(sql`UPDATE books_epoch SET mark = 'of another database'`);
    await currentEpoch(portal.deps);
    await compareAfterRestore(portal.deps);
    expect(await restoreOf()).toEqual({ isRestored: false, closedAccounts: 1 });
    expect(await comparisons()).toBe(before);
    refusedKey = null;
    await tryAgain();
    expect(await found()).toMatchObject([{ orderId }]);
  });

  test('waits for a person if it got other keys, whose list is compared as well', async () => {
    await setKeys(theirs, 'sample');
    const before = await comparisons();
    await tryAgain();
    expect(await comparisons()).toBe((before ?? 0) + 2);
    expect(await restoreOf()).toEqual({ isRestored: false, closedAccounts: 0 });
    await expectClosed(later);
    const [unread, ...others] = await found();
    expect([unread?.state, others]).toEqual(['unread', []]);
    await acknowledge(unread?.orderId);
    const answer = await ask(later);
    expect(answer.statusCode).toBe(202);
  });
});
