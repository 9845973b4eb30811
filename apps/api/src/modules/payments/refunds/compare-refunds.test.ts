import { sql } from 'drizzle-orm';
import { beforeEach, describe, expect, test } from 'vitest';
import { advanceEngineClock } from '../../../../test/books/engine-clock.ts';
import { sweep } from '../../../../test/books/sweep.ts';
import { call } from '../../../../test/build-test-app.ts';
import { makeInvoice } from '../../../../test/factories/invoices.ts';
import {
  makeRefundable,
  type Refundable,
  requestRefund,
} from '../../../../test/factories/requested-refunds.ts';
import { addCard, portalSale } from '../../../../test/factories/unpaid-invoices.ts';
import { linkCustomer, signInUser } from '../../../../test/factories/users.ts';
import { usePayments } from '../../../../test/use-payments.ts';
import { compareBooks } from '../books/compare-books.ts';
import { compareAfterRestore } from '../restore/compare-after-restore.ts';
import { decideRefund } from './decide-refund.ts';
import { expireRefunds } from './sweep/expire-refunds.ts';

const { emulator, portal, db, guestPays, sweepAll, expectBalanced } = usePayments();

const WHOLE = { invoiceCents: 100_00, taxCents: 8_25 };
const PART = { invoiceCents: 46_19, taxCents: 3_81 };

let sale: Refundable;

beforeEach(async () => {
  await emulator.clearFaults();
  await emulator.switch({ releaseRefused: 'settled' });
  const invoice = await makeInvoice(db());
  await guestPays(invoice);
  await sweepAll();
  sale = await makeRefundable(db(), invoice);
});

const request = (parts: Parameters<typeof requestRefund>[2]) => requestRefund(portal.deps, sale, parts);
const closeBatch = () => emulator.callAs('portal', 'POST', '/batches/current/close');
const rowOf = async (type: string) =>
  (await emulator.ledger()).find((row) => row.orderid === sale.orderId && row.trantype_code === type);
const byHand = async (command: string, type: string, amount?: string) =>
  emulator.callAs('portal', 'POST', '/transactions', {
    command,
    trankey: (await rowOf(type))?.key,
    ...(amount && { amount }),
  });

async function sweepAt(seconds: number): Promise<void> {
  await advanceEngineClock(portal.deps, seconds);
  await emulator.advanceClock(seconds);
  await sweep(portal.deps);
}

/** What the comparison reports for this sale half an hour later. */
async function kinds(): Promise<string[]> {
  await advanceEngineClock(portal.deps, 1800);
  const { differences } = await compareBooks(portal.deps);
  return differences.filter(({ orderId }) => orderId === sale.orderId).map(({ kind }) => kind);
}

/** A refund by hand, adopted a week later, with more than a page of sales between the two. */
async function adoptedLate(): Promise<string> {
  const day = 24 * 60 * 60;
  await closeBatch();
  const { key } = await byHand('refund', 'L', '50.00');
  await sweepAt(day);
  const creditcard = { number: '4000100011112224', expiration: '1230', cvc: '123' };
  for (let made = 0; made < 120; made++)
    await emulator.callAs('portal', 'POST', '/transactions', { command: 'sale', amount: '1.00', creditcard });
  await closeBatch();
  await sweepAt(6 * day);
  const refundId = await request(PART);
  await sweepAt(1);
  const decision = { event: 'adopt', refundId, method: 'refund', transactionKey: String(key) } as const;
  const adopted = await decideRefund(portal.deps, {
    intentId: sale.paymentId,
    decision: { ...decision, reference: '', batchKey: null },
  });
  expect(adopted).toEqual({ result: 'applied' });
  return refundId;
}

describe('the comparison', () => {
  test('finds nothing if we voided or refunded a charge', async () => {
    await request(WHOLE);
    await sweepAt(1);
    expect(await kinds()).toEqual([]);
    await expectBalanced();
  });

  test('finds nothing if we refunded a part', async () => {
    await closeBatch();
    await request(PART);
    await sweepAt(1);
    expect(await kinds()).toEqual([]);
    await expectBalanced();
  });

  test('reports a refund that none of ours owns', async () => {
    await closeBatch();
    await byHand('refund', 'L', '10.00');
    expect(await kinds()).toEqual(['unclaimed-refund']);
  });

  test('waits while a refund of the charge is in progress', async () => {
    await closeBatch();
    await request(PART);
    await emulator.script({ fault: 'reset', when: 'after', command: 'refund', orderId: sale.orderId });
    await sweepAt(1);
    expect(await kinds()).toEqual([]);
  });

  test('reports a refund that appeared after it was ruled out, and that it was sent again since', async () => {
    await closeBatch();
    const refundId = await request(PART);
    await emulator.script({ fault: 'reset', when: 'before', command: 'refund', orderId: sale.orderId });
    for (const seconds of [1, 10, 1000, 70]) await sweepAt(seconds);
    await byHand('refund', 'L', '50.00');
    expect(await kinds()).toEqual(['late-refund']);
    const again = await requestRefund(portal.deps, sale, { ...PART, retryOf: refundId });
    await sweepAt(1);
    const [{ key } = { key: '' }] = (
      await db().execute<{ key: string }>(sql`
        SELECT transaction_key AS key FROM seen_refund WHERE order_id = ${sale.orderId}`)
    ).rows;
    await decideRefund(portal.deps, {
      intentId: sale.paymentId,
      decision: { event: 'keep-asking', refundId: again, knownKeys: [key] },
    });
    await sweepAt(10);
    expect(await kinds()).toEqual(['refunded-twice']);
  });

  describe('reports a refund that appeared after it was ruled out as made twice', () => {
    const ruledOut = async () => {
      await closeBatch();
      const refundId = await request(PART);
      await emulator.script({ fault: 'reset', when: 'before', command: 'refund', orderId: sale.orderId });
      for (const seconds of [1, 10, 1000, 70]) await sweepAt(seconds);
      return refundId;
    };

    test('if the same amount was requested anew since, and unless that was taken back', async () => {
      await ruledOut();
      const anew = await request(PART);
      await sweepAt(1);
      const [made] = (await db().execute<{ state: string }>(sql`SELECT state FROM refund WHERE id = ${anew}`))
        .rows;
      expect(made).toEqual({ state: 'made' });
      await byHand('refund', 'L', '50.00');
      expect(await kinds()).toEqual(['refunded-twice']);
      await byHand('void', 'C');
      await decideRefund(portal.deps, {
        intentId: sale.paymentId,
        decision: { event: 'undo', refundId: anew },
      });
      expect(await kinds()).toEqual(['late-refund']);
    });

    test('if it was closed with a note on how the payer was paid back', async () => {
      const refundId = await ruledOut();
      await db().execute(sql`
        UPDATE refund SET closed_at = engine_now(), closed_note = 'Paid by check.' WHERE id = ${refundId}`);
      await byHand('refund', 'L', '50.00');
      expect(await kinds()).toEqual(['refunded-twice']);
    });

    test('but not if the other one was for another work order of the payment', async () => {
      const invoice = await makeInvoice(db());
      const { franchiseId, customerId } = invoice;
      const other = await makeInvoice(db(), { franchiseId, customerId });
      const user = await signInUser(portal);
      await linkCustomer(portal, { ...user, customerId });
      const { token } = user;
      const body = portalSale([invoice, other], {
        paymentMethodId: await addCard(portal, emulator, { token }),
      });
      const paid = await call(portal, 'POST', '/usaepay/customerportalsale', { token, body });
      expect(paid.statusCode, paid.body).toBe(200);
      await sweepAll();
      sale = await makeRefundable(db(), invoice);
      await ruledOut();
      await requestRefund(portal.deps, { ...sale, invoiceId: other.invoiceId }, PART);
      await sweepAt(1);
      await byHand('refund', 'L', '50.00');
      expect(await kinds()).toEqual(['late-refund']);
    });

    test('but not if the other one was requested before it was sent', async () => {
      await closeBatch();
      const others = await request({ ...PART, needsApproval: true });
      await ruledOut();
      await db().execute(sql`
        UPDATE refund_request SET approved_by = gen_random_uuid(), approved_at = engine_now()
         WHERE id = (SELECT request_id FROM refund WHERE id = ${others})`);
      await db().execute(
        sql`UPDATE refund SET state = 'waiting', next_try_at = engine_now() WHERE id = ${others}`,
      );
      await sweepAt(1);
      await byHand('refund', 'L', '50.00');
      expect(await kinds()).toEqual(['late-refund']);
    });
  });

  test('reports a refund of ours that was voided at the provider', async () => {
    await closeBatch();
    await request(PART);
    await sweepAt(1);
    await byHand('void', 'C');
    expect(await kinds()).toEqual(['refund-undone-there']);
  });

  test('reports a void of ours whose sale is live again', async () => {
    // A released sale can't be restored; a plainly voided one can.
    await emulator.switch({ releaseRefused: 'captured' });
    await request(WHOLE);
    await sweepAt(1);
    await byHand('unvoid', 'V');
    expect(await kinds()).toEqual(['void-undone-there']);
  });

  test('asks for a refund that was adopted so late that the list is not read back to it', async () => {
    await adoptedLate();
    expect(await kinds()).toEqual([]);
    const { orderId } = sale;
    await emulator.script({ fault: 'status', status: 404, command: 'get', orderId });
    expect(await kinds()).toEqual(['refund-not-at-the-provider']);
    await emulator.clearFaults();
    await emulator.script({ fault: 'wrong', command: 'get', times: 2, orderId, answer: { amount: '40.00' } });
    expect(await kinds()).toEqual(['refund-of-another-amount']);
  });

  test('reports a refund of ours that the provider does not show', async () => {
    await closeBatch();
    await request(PART);
    await sweepAt(1);
    await emulator.reset();
    expect(await kinds()).toContain('refund-not-at-the-provider');
  });
});

test('after a restore every unfinished refund is held, and none is sent before', async () => {
  await closeBatch();
  const refundIds = [await request(PART), await request({ ...PART, needsApproval: true })];
  await db().execute(sql`UPDATE deployment SET restore_noticed_at = engine_now() + interval '1 second'`);
  await db().execute(sql`UPDATE account_look SET epoch = NULL`);
  await sweepAt(2);
  expect(await rowOf('C')).toBeUndefined();
  await compareAfterRestore(portal.deps);
  await compareAfterRestore(portal.deps);
  const { rows } = await db().execute<{ state: string; heldFor: string }>(sql`
    SELECT state, held_for AS "heldFor" FROM refund WHERE charge_id = ${sale.chargeId}`);
  expect(rows).toEqual(refundIds.map(() => ({ state: 'held', heldFor: 'restored' })));
  const { rows: noticed } = await db().execute(
    sql`SELECT FROM deployment WHERE restore_noticed_at IS NOT NULL`,
  );
  expect(noticed).toEqual([]);
});

test('withdraws a request without an approval for two weeks', async () => {
  const refundId = await request({ ...PART, needsApproval: true });
  const stateOf = async () =>
    (await db().execute<{ state: string }>(sql`SELECT state FROM refund WHERE id = ${refundId}`)).rows[0]
      ?.state;
  await advanceEngineClock(portal.deps, 14 * 86_400 - 60);
  await expireRefunds(portal.deps);
  expect(await stateOf()).toBe('requested');
  await advanceEngineClock(portal.deps, 61);
  await expireRefunds(portal.deps);
  expect(await stateOf()).toBe('withdrawn');
});

test('withdraws the others even if one request cannot be withdrawn', async () => {
  const blocked = await request({ ...PART, needsApproval: true });
  const invoice = await makeInvoice(db());
  await guestPays(invoice);
  await sweepAll();
  const other = await requestRefund(portal.deps, await makeRefundable(db(), invoice), {
    ...PART,
    needsApproval: true,
  });
  await advanceEngineClock(portal.deps, 14 * 86_400 + 1);
  await portal.deps.db.transaction(async (tx) => {
    await tx.execute(sql`SELECT FROM payment_intent WHERE id = ${sale.paymentId} FOR UPDATE`);
    await expect(expireRefunds(portal.deps)).rejects.toThrow();
  });
  const { rows } = await db().execute<{ state: string }>(
    sql`SELECT state FROM refund WHERE id IN (${blocked}, ${other}) ORDER BY id = ${other}`,
  );
  expect(rows.map(({ state }) => state)).toEqual(['requested', 'withdrawn']);
});
