import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { aroundCalls } from '../../../../test/around-calls.ts';
import { type ChargeRow, chargesOf } from '../../../../test/books/compare-ledgers.ts';
import { sweep } from '../../../../test/books/sweep.ts';
import { type TestApp, testEnv } from '../../../../test/build-test-app.ts';
import { copyDatabase, type TestDatabase } from '../../../../test/database/postgres.ts';
import { makeInvoice, receiveElsewhere } from '../../../../test/factories/invoices.ts';
import { gatewaySettings, guestSale, payAsGuest } from '../../../../test/factories/payments/payments.ts';
import { callOffice } from '../../../../test/office/office.ts';
import { usePayments } from '../../../../test/use-payments.ts';
import { buildApp } from '../../../app.ts';
import { openDeps } from '../../../open-deps.ts';
import { expirePayments } from '../sweep/expire-payments.ts';
import { compareAfterRestore } from './compare-after-restore.ts';

type Invoice = Awaited<ReturnType<typeof makeInvoice>>;

const { emulator, portal } = usePayments();

let backup: TestDatabase;
let restored: TestApp;
const invoices = {} as Record<'paidBefore' | 'paidAfter' | 'heldAfter' | 'begunBefore' | 'unpaid', Invoice>;
let lost: ChargeRow[];
/** The payment that the backup knows as begun. */
let pressAgain: (app: TestApp) => ReturnType<typeof payAsGuest>;

const pay = async (app: TestApp, invoice: Invoice) => payAsGuest(app, await guestSale(emulator, invoice));
const codesOf = (answer: { json(): { errors: { code: string }[] } }) =>
  answer.json().errors.map(({ code }) => code);
const isPaymentsClosed = async () =>
  (await callOffice(restored, 'GET', '/status')).json<{ payments: { isClosed: boolean } }>().payments
    .isClosed;

/** A portal on the backup, at the same address. */
async function restore(): Promise<TestApp> {
  const env = testEnv({
    DATABASE_URL: backup.url,
    ...gatewaySettings(emulator, await emulator.merchant('portal')),
  });
  const deps = await openDeps(env, { clock: () => portal.now });
  return { deps, app: await buildApp(deps), now: portal.now };
}

/** Pays, and takes the backup while the provider is being asked. Returns how to press Pay again. */
async function payAndBackUp(invoice: Invoice) {
  const { gateways } = portal.deps;
  portal.deps.gateways = aroundCalls(gateways, 'authorize', async (send) => {
    backup = await copyDatabase(portal.deps.env.DATABASE_URL);
    return send();
  });
  const body = await guestSale(emulator, invoice);
  const headers = { 'idempotency-key': randomUUID() };
  const press = (app: TestApp) => payAsGuest(app, body, headers);
  expect((await press(portal)).statusCode).toBe(200);
  portal.deps.gateways = gateways;
  return press;
}

beforeAll(async () => {
  const names = ['paidBefore', 'paidAfter', 'heldAfter', 'begunBefore', 'unpaid'] as const;
  for (const name of names) invoices[name] = await makeInvoice(portal.deps.db.query);
  expect((await pay(portal, invoices.paidBefore)).statusCode).toBe(200);
  await sweep(portal.deps);

  pressAgain = await payAndBackUp(invoices.begunBefore);
  expect((await pay(portal, invoices.paidAfter)).statusCode).toBe(200);
  await sweep(portal.deps);
  expect((await pay(portal, invoices.heldAfter)).statusCode).toBe(200);
  lost = (await chargesOf(portal.deps)).slice(-3);
  expect(lost.map(({ state }) => state)).toEqual(['captured', 'captured', 'accepted']);
  restored = await restore();
  await restored.deps.db.pool.query(
    `UPDATE payment_intent SET deadline_at = engine_now() WHERE state = 'undecided'`,
  );
});

afterAll(async () => {
  await restored.app.close();
  await restored.deps.db.close();
  await backup.drop();
});

describe('a database that was put back', () => {
  test('takes no payment, and does not claim that cards were not charged', async () => {
    const answer = await pay(restored, invoices.unpaid);
    expect([answer.statusCode, codesOf(answer)]).toEqual([503, ['PaymentsClosed']]);
    expect(answer.headers['retry-after']).toBe('60');
    expect(await isPaymentsClosed()).toBe(true);
  });

  test('does not say "not charged" of a payment whose acceptance it may lack, whoever has ended it', async () => {
    await expirePayments(restored.deps);
    const answer = await pressAgain(restored);
    expect([answer.statusCode, codesOf(answer)]).toEqual([503, ['Unconfirmed']]);
  });

  test('stays closed if the provider does not show everything', async () => {
    await emulator.script({ fault: 'status', status: 500, command: 'list' });
    await compareAfterRestore(restored.deps);
    expect(await isPaymentsClosed()).toBe(true);
    expect(codesOf(await pressAgain(restored))).toEqual(['Unconfirmed']);
  });

  test('opens after the comparison, and keeps payments since the backup from being paid again', async () => {
    await compareAfterRestore(restored.deps);
    expect(await isPaymentsClosed()).toBe(false);

    const found = (await callOffice(restored, 'GET', '/found-payments')).json<{ orderId: string }[]>();
    expect(found).toHaveLength(3);
    expect(found).toEqual(
      expect.arrayContaining(
        lost.map(({ orderId, state }) =>
          expect.objectContaining({ orderId, amount: 108.25, state: state === 'accepted' ? 'held' : state }),
        ),
      ),
    );
    for (const name of ['begunBefore', 'paidAfter', 'heldAfter'] as const) {
      const answer = await pay(restored, invoices[name]);
      expect([answer.statusCode, codesOf(answer)]).toEqual([409, ['PaymentFound']]);
    }
    expect(codesOf(await pressAgain(restored))).toEqual(['PaymentFound']);
    expect(codesOf(await pay(restored, invoices.paidBefore))).toEqual(['AlreadyPaid']);
    expect((await pay(restored, invoices.unpaid)).statusCode).toBe(200);
    await sweep(restored.deps);
  });

  test('lets an invoice be paid again once a person has acknowledged what was found', async () => {
    const [begun, captured, held] = lost;
    if (!begun || !captured || !held) throw new Error('nothing was lost');
    const acknowledge = (orderId: string) =>
      callOffice(restored, 'POST', `/found-payments/${orderId}/settle`, { body: {} });

    // Captured: the office books the money as received.
    await receiveElsewhere(restored.deps.db.query, {
      invoiceId: invoices.paidAfter.invoiceId,
      receivedCents: 108_25,
    });
    expect((await acknowledge(captured.orderId)).statusCode).toBe(200);
    expect(codesOf(await pay(restored, invoices.paidAfter))).toEqual(['AlreadyPaid']);

    // Held: somebody voids it by hand.
    const { key } = (await emulator.ledger()).find(({ orderid }) => orderid === held.orderId) ?? {};
    await emulator.callAs('portal', 'POST', '/transactions', { command: 'void:release', trankey: key });
    expect((await acknowledge(held.orderId)).statusCode).toBe(200);
    expect((await acknowledge(held.orderId)).statusCode).toBe(404);
    expect((await pay(restored, invoices.heldAfter)).statusCode).toBe(200);

    // Refunded at the provider: the key that stood for the lost payment is over.
    expect((await acknowledge(begun.orderId)).statusCode).toBe(200);
    const checked = await pressAgain(restored);
    expect([checked.statusCode, codesOf(checked)]).toEqual([409, ['CheckedEarlier']]);
    expect(checked.json()).toMatchObject({
      detail: 'We have checked your earlier payment. $108.25 is still due. Press Pay again to pay it.',
    });
    expect((await pay(restored, invoices.begunBefore)).statusCode).toBe(200);
  });
});
