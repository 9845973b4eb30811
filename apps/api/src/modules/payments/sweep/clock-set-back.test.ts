import { eq, sql } from 'drizzle-orm';
import { beforeEach, describe, expect, test } from 'vitest';
import { chargesOf } from '../../../../test/books/compare-ledgers.ts';
import { advanceEngineClock } from '../../../../test/books/engine-clock.ts';
import { sweep } from '../../../../test/books/sweep.ts';
import { makeInvoice } from '../../../../test/factories/invoices.ts';
import { makeCharge } from '../../../../test/factories/payments/charges.ts';
import { guestSale, payAsGuest } from '../../../../test/factories/payments/payments.ts';
import { usePayments } from '../../../../test/use-payments.ts';
import { invoice } from '../../../db/schema/franchises.ts';
import { paymentIntent } from '../../../db/schema/payments.ts';
import { openLanes } from '../../../jobs/lanes/open-lanes.ts';
import { systemTimers } from '../../../jobs/timers.ts';
import { leaseKeyedCharges, listUnfinishedAccounts } from './leases.queries.ts';

const { emulator, portal, db, guestPays, sweepAll, expectBalanced } = usePayments();

const AHEAD_SECONDS = 31 * 24 * 60 * 60;
const NOT_CHARGED = { code: 'NotCharged', description: 'Your card was not charged.' };

beforeEach(async () => {
  await emulator.clearFaults();
  await emulator.switch({ releaseRefused: 'settled' });
});

/** Does something while the engine's clock is ahead. */
async function whileAhead<Result>(act: () => Promise<Result>): Promise<Result> {
  await advanceEngineClock(portal.deps, AHEAD_SECONDS);
  const result = await act();
  await advanceEngineClock(portal.deps, -AHEAD_SECONDS);
  return result;
}

/** What the portal does by itself within a minute of its clock being set back. */
async function noticeClock(): Promise<void> {
  await advanceEngineClock(portal.deps, 60);
  await openLanes({ money: portal.deps, others: portal.deps }, systemTimers).look('compare-books');
}

async function stateOfPayment(intentId: string): Promise<string | undefined> {
  const [row] = await db().select().from(paymentIntent).where(eq(paymentIntent.id, intentId));
  return row?.state;
}

const stateOf = async (chargeId: string) =>
  (await chargesOf(portal.deps)).find(({ id }) => id === chargeId)?.state;

/** The charge of an invoice's payment. */
async function chargeOf({ invoiceId }: { invoiceId: number }): Promise<{ id: string; orderId: string }> {
  const { rows } = await db().execute<{ id: string; orderId: string }>(sql`
    SELECT c.id, c.order_id AS "orderId" FROM charge_allocation a JOIN charge c ON c.id = a.charge_id
     WHERE a.invoice_id = ${invoiceId}`);
  const [charge] = rows;
  if (!charge) throw new Error('no charge');
  return charge;
}

async function accepted() {
  const made = await makeInvoice(db());
  expect((await guestPays(made)).statusCode).toBe(200);
  return chargeOf(made);
}

const byHand = (command: string, given: object) => {
  const creditcard = { number: '4000100011112224', expiration: '1230', cvc: '123' };
  return emulator.callAs('portal', 'POST', '/transactions', { command, creditcard, ...given });
};

/** More sales by hand than one page of the provider's list shows. */
async function sellPage(): Promise<void> {
  for (let sale = 0; sale < 120; sale++) await byHand('sale', { amount: '1.00' });
}

describe('a payment begun while the engine’s clock was ahead', () => {
  test('blocks nobody once the clock is set back', async () => {
    const gone = await whileAhead(() => makeCharge(portal.deps, { state: 'authorising' }));
    const [row] = await db().select().from(invoice).where(eq(invoice.id, gone.invoiceId));
    if (!row) throw new Error('no invoice');
    expect((await guestPays(row)).statusCode).toBe(200);
    await sweepAll();
    expect(await stateOf(gone.chargeId)).toBe('absent');
    await expectBalanced();
  });

  test('is ended by the background work', async () => {
    const gone = await whileAhead(async () => {
      const made = await makeCharge(portal.deps, { state: 'authorising' });
      await sweep(portal.deps);
      return made;
    });
    expect(await stateOfPayment(gone.intentId)).toBe('undecided');
    await sweep(portal.deps);
    expect(await stateOfPayment(gone.intentId)).toBe('abandoned');
    await sweepAll();
    await expectBalanced();
  });

  test('and still under way can be pressed again: the card is not charged, and its hold is released', async () => {
    const made = await makeInvoice(db());
    const body = await guestSale(emulator, made);
    const key = { 'idempotency-key': 'clock-set-back' };
    const countRows = async () => (await emulator.ledger()).length;
    const before = await countRows();
    const goOn = await emulator.hold();
    const { paying, charge } = await whileAhead(async () => {
      const answer = payAsGuest(portal, body, key);
      await expect.poll(countRows).toBe(before + 1);
      return { paying: answer, charge: await chargeOf(made) };
    });
    const again = await payAsGuest(portal, body, key);
    expect(again.json().errors).toContainEqual(NOT_CHARGED);
    await goOn();
    expect((await paying).json().errors).toContainEqual(NOT_CHARGED);
    await sweepAll();
    expect(await stateOf(charge.id)).toBe('released');
    await expectBalanced();
  });

  test('has its hold not ruled out by the first page of the provider’s list', async () => {
    const gone = await whileAhead(() => makeCharge(portal.deps, { state: 'authorising' }));
    await byHand('authonly', { amount: '108.25', orderid: gone.orderId });
    await sellPage();
    await sweepAll();
    expect(await stateOf(gone.chargeId)).toBe('released');
  });
});

describe('a charge that waits when the engine’s clock, which was ahead, is set back', () => {
  test('is captured though its capture was not begun', async () => {
    const charge = await whileAhead(accepted);
    await sweep(portal.deps);
    expect(await stateOf(charge.id)).toBe('accepted');
    await noticeClock();
    await sweep(portal.deps);
    expect(await stateOf(charge.id)).toBe('captured');
    await expectBalanced();
  });

  test('is captured though its capture had failed', async () => {
    const { id, orderId } = await accepted();
    await emulator.script({ fault: 'status', status: 503, when: 'before', command: 'cc:capture', orderId });
    await whileAhead(() => sweep(portal.deps));
    await sweep(portal.deps);
    expect(await stateOf(id)).toBe('accepted');
    await noticeClock();
    await sweep(portal.deps);
    expect(await stateOf(id)).toBe('captured');
    await expectBalanced();
  });

  test('is captured though the worker that had leased it died', async () => {
    const { id } = await accepted();
    const { PUBLIC_URL: publicUrl } = portal.deps.env;
    await whileAhead(async () => {
      for (const accountId of await listUnfinishedAccounts(db()))
        await leaseKeyedCharges(db(), { publicUrl, accountId, most: 1 });
      await sweep(portal.deps);
      expect(await stateOf(id)).toBe('accepted');
    });
    await sweep(portal.deps);
    expect(await stateOf(id)).toBe('captured');
    await expectBalanced();
  });

  test('has to be called impossible to capture twice more', async () => {
    const { id } = await whileAhead(async () => {
      const charge = await accepted();
      await emulator.advanceClock(AHEAD_SECONDS);
      await sweep(portal.deps);
      return charge;
    });
    await noticeClock();
    await sweep(portal.deps);
    expect(await stateOf(id)).toBe('accepted');
    await advanceEngineClock(portal.deps, 61);
    await sweep(portal.deps);
    expect(await stateOf(id)).toBe('capture_failed');
    await expectBalanced();
  });

  test('is found beyond the first page of the provider’s list and released', async () => {
    const made = await makeInvoice(db());
    await emulator.script({ fault: 'reset', when: 'after', command: 'authonly' });
    await whileAhead(async () => expect((await guestPays(made)).statusCode).toBe(503));
    const { id } = await chargeOf(made);
    await sellPage();
    await noticeClock();
    await sweep(portal.deps);
    expect(await stateOf(id)).toBe('released');
  });
});
