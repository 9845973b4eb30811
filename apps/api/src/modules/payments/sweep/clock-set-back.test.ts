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

async function stateOfPayment(intentId: string): Promise<string | undefined> {
  const [row] = await db().select().from(paymentIntent).where(eq(paymentIntent.id, intentId));
  return row?.state;
}

const stateOf = async (chargeId: string) =>
  (await chargesOf(portal.deps)).find(({ id }) => id === chargeId)?.state;

/** The charge of an invoice's payment. */
async function chargeOf({ invoiceId }: { invoiceId: number }): Promise<{ id: string }> {
  const { rows } = await db().execute<{ id: string }>(sql`
    SELECT c.id FROM charge_allocation a JOIN charge c ON c.id = a.charge_id
     WHERE a.invoice_id = ${invoiceId}`);
  const [charge] = rows;
  if (!charge) throw new Error('no charge');
  return charge;
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
