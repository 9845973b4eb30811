import { randomUUID } from 'node:crypto';
import type { Differences } from '@brightpane/contract/office/review';
import { beforeEach, describe, expect, test } from 'vitest';
import { type ChargeRow, chargesOf } from '../../test/books/compare-ledgers.ts';
import { advanceEngineClock } from '../../test/books/engine-clock.ts';
import { sweep } from '../../test/books/sweep.ts';
import { useCommandLine } from '../../test/command-line.ts';
import { APPROVED_CARD, useEmulator } from '../../test/emulator.ts';
import { makeInvoice } from '../../test/factories/invoices.ts';
import { chargeState } from '../../test/factories/payments/charges.ts';
import { guestSale, payAsGuest, usePaymentsApp } from '../../test/factories/payments/payments.ts';
import { makeRefundable, requestRefund } from '../../test/factories/requested-refunds.ts';
import { callOffice } from '../../test/office/office.ts';
import { readPortalState } from '../metrics/state.queries.ts';
import { indexWords } from '../modules/console/search/index-words.ts';
import { checkAllBooks } from '../modules/payments/books/check-all-books.ts';
import { compareDueBooks } from '../modules/payments/books/compare-books.ts';
import { decideRefund } from '../modules/payments/refunds/decide-refund.ts';

const emulator = useEmulator();
const portal = usePaymentsApp(emulator);
const { run } = useCommandLine(portal);
const HOUR_SECONDS = 60 * 60;
const DAY_SECONDS = 24 * HOUR_SECONDS;

beforeEach(() => emulator.clearFaults());

async function pay(): Promise<ChargeRow> {
  await payAsGuest(portal, await guestSale(emulator, await makeInvoice(portal.deps.db.query)));
  const charge = (await chargesOf(portal.deps)).at(-1);
  if (!charge) throw new Error('no charge');
  return charge;
}

async function payAndCapture(): Promise<ChargeRow> {
  const charge = await pay();
  await sweep(portal.deps);
  return charge;
}

/** An accepted charge whose captures failed for a day. */
async function uncaptured(): Promise<ChargeRow> {
  await emulator.script({ fault: 'status', status: 500, when: 'before', command: 'capture', times: 100 });
  const charge = await pay();
  await sweep(portal.deps);
  await advanceEngineClock(portal.deps, DAY_SECONDS + 60);
  await sweep(portal.deps);
  await emulator.clearFaults();
  return charge;
}

/** An abandoned charge whose hold could be neither found nor ruled out for a day; with `after`, the hold exists. */
async function unresolved(when: 'before' | 'after'): Promise<ChargeRow> {
  await emulator.script({ fault: 'reset', when, command: 'authonly' });
  await emulator.script({ fault: 'status', status: 500, command: 'list', times: 100 });
  const charge = await pay();
  for (const seconds of [DAY_SECONDS + 60 * 60, 61 * 60]) {
    await advanceEngineClock(portal.deps, seconds);
    await sweep(portal.deps);
  }
  await emulator.clearFaults();
  return charge;
}

/** Stands in for the lanes, which don't run here: marks scheduled tasks as done and makes new customers searchable. */
async function workOtherLanes(): Promise<void> {
  await portal.deps.db.pool.query('UPDATE background_lane SET done_slot = engine_now()');
  await portal.deps.db.pool.query(`UPDATE book_comparison SET due_at = engine_now() + interval '1 day'`);
  await indexWords(portal.deps);
}

async function acknowledgeDifferences(): Promise<void> {
  const open: Differences = (await callOffice(portal, 'GET', '/differences?state=open')).json();
  for (const { differenceId } of open.items)
    await callOffice(portal, 'POST', `/differences/${differenceId}/acknowledge`, { body: { note: 'Seen.' } });
}

const byHand = (body: object) => emulator.callAs('portal', 'POST', '/transactions', body);

async function providerRow(orderId: string) {
  const row = (await emulator.ledger()).find((each) => each.orderid === orderId);
  if (!row) throw new Error(`the provider has no order ${orderId}`);
  return row;
}

describe('portal reconcile', () => {
  test('says that the books agree, then names what was done by hand at the provider, and changes nothing', async () => {
    const [refunded, voided] = [await payAndCapture(), await payAndCapture()];
    await advanceEngineClock(portal.deps, 20 * 60);
    expect(await run(['reconcile'])).toEqual({
      code: 0,
      output: 'Charges compared: 2. Differences: 0.\n',
      complaint: '',
    });

    const books = await chargesOf(portal.deps);
    const voidedRow = await providerRow(voided.orderId);
    await byHand({ command: 'void', trankey: voidedRow.key });
    await emulator.callAs('portal', 'POST', '/batches/current/close');
    const refund = await byHand({ command: 'refund', trankey: (await providerRow(refunded.orderId)).key });
    const sale = await byHand({
      command: 'sale',
      amount: '5.00',
      creditcard: { number: APPROVED_CARD, expiration: '1230', cvc: '123' },
    });
    const theirBooks = await emulator.ledger();

    const { code, output, complaint } = await run(['reconcile']);
    expect({ code, complaint }).toEqual({ code: 1, complaint: 'The books differ.\n' });
    const [summary, ...differences] = output.trimEnd().split('\n');
    expect(summary).toBe('Charges compared: 2. Differences: 3.');
    expect(differences.sort()).toEqual([
      `not in our books: $5.00, order none, reference ${sale.refnum}`,
      `unclaimed refund: $108.25, order ${refunded.orderId}, reference ${refund.refnum}`,
      `voided by hand: $108.25, order ${voided.orderId}, reference ${voidedRow.refnum}`,
    ]);
    await sweep(portal.deps);
    expect(await chargesOf(portal.deps)).toEqual(books);
    expect(await emulator.ledger()).toEqual(theirBooks);
  });

  test('status fails until somebody has acknowledged what was found', async () => {
    await byHand({
      command: 'sale',
      amount: '7.00',
      creditcard: { number: APPROVED_CARD, expiration: '1230', cvc: '123' },
    });
    await run(['reconcile']);
    await workOtherLanes();
    const status = await run(['status']);
    expect(status.code).toBe(1);
    expect(status.output).toMatch(/\nDifferences +[1-9]\d*\n/);
    expect(status.complaint).toBe(
      'The books differ from the provider’s: look at each under Review in the console.\n',
    );

    await acknowledgeDifferences();
    const after = await run(['status']);
    expect(after).toMatchObject({ code: 0, complaint: '' });
    expect(after.output).toMatch(/\nDifferences +0\n/);
  });

  test('fails, and so does status, while the provider does not show everything', async () => {
    await emulator.script({ fault: 'status', status: 500, command: 'list', times: 10 });
    const { code, complaint } = await run(['reconcile']);
    expect(code).toBe(1);
    expect(complaint).toBe(
      'Not all of it could be read from the provider now. The portal goes on with the rest by itself.\n',
    );

    await workOtherLanes();
    const status = await run(['status']);
    expect(status.code).toBe(1);
    expect(status.output).toMatch(/\nBooks compared +not in full since 20/);
    expect(status.complaint).toBe(
      'The books were not compared in full with 1 merchant account at the provider: npm run portal -- reconcile\n',
    );
    await emulator.clearFaults();
    await run(['reconcile']);
    expect(await run(['status'])).toMatchObject({ code: 0, complaint: '' });
  });

  test('status fails, and the metric rises, while the comparison itself fails', async () => {
    await run(['reconcile']);
    await advanceEngineClock(portal.deps, 2 * DAY_SECONDS);
    await portal.deps.db.pool.query('ALTER TABLE refund RENAME TO refund_away');
    try {
      await expect(compareDueBooks(portal.deps)).rejects.toThrow();
    } finally {
      await portal.deps.db.pool.query('ALTER TABLE refund_away RENAME TO refund');
    }
    const state = () => readPortalState(portal.deps.db.query, { publicUrl: portal.deps.env.PUBLIC_URL });
    expect((await state()).comparisonLagSeconds).toBeGreaterThan(DAY_SECONDS);
    const status = await run(['status']);
    expect(status.code).toBe(1);
    expect(status.output).toMatch(/\nBooks compared +not in full since 20/);

    await advanceEngineClock(portal.deps, HOUR_SECONDS);
    await compareDueBooks(portal.deps);
    expect((await state()).comparisonLagSeconds).toBe(0);
    expect((await run(['status'])).output).toMatch(/\nBooks compared +in full\n/);
  });

  test('status fails while the books break one of their rules', async () => {
    const { invoiceId } = await makeInvoice(portal.deps.db.query);
    const receivedUnbooked = (cents: number) =>
      portal.deps.db.pool.query('UPDATE invoice SET paid_elsewhere_cents = $2 WHERE id = $1', [
        invoiceId,
        cents,
      ]);
    await receivedUnbooked(1);
    await checkAllBooks(portal.deps);
    await workOtherLanes();
    const status = await run(['status']);
    expect(status.code).toBe(1);
    expect(status.output).toMatch(
      new RegExp(
        `\nRules of the books broken +I9 what an office has received is booked: invoice ${invoiceId}`,
      ),
    );
    expect(status.complaint).toContain(
      'The books break their own rules: stop, and find out before anything else.\n',
    );
    await receivedUnbooked(0);
    await checkAllBooks(portal.deps);
    expect((await run(['status'])).output).toMatch(/\nRules of the books broken +none\n/);
  });
});

describe('portal refunds', () => {
  test('says that there is nothing to do', async () => {
    expect(await run(['refunds'])).toEqual({ code: 0, output: 'No refund needs a person.\n', complaint: '' });
  });

  test('lists a refund that is held; until somebody decides, status fails', async () => {
    const invoice = await makeInvoice(portal.deps.db.query);
    await payAsGuest(portal, await guestSale(emulator, invoice));
    await sweep(portal.deps);
    const sale = await makeRefundable(portal.deps.db.query, invoice);
    const waiting = await requestRefund(portal.deps, sale, { invoiceCents: 46_19, taxCents: 3_81 });
    await workOtherLanes();
    const before = await run(['status']);
    expect(before).toMatchObject({ code: 0, complaint: '' });
    expect(before.output).toMatch(
      /\nRefunds under way +1 waiting since \S+\nRefunds that need a person +0\n/,
    );

    await decideRefund(portal.deps, {
      intentId: sale.paymentId,
      decision: { event: 'hold', refundId: waiting, heldFor: 'disputed' },
    });
    const status = await run(['status']);
    expect(status.code).toBe(1);
    expect(status.output).toMatch(/\nRefunds under way +none\nRefunds that need a person +1\n/);
    expect(status.complaint).toBe('Refunds need a person: npm run portal -- refunds\n');
    const listed = await run(['refunds']);
    expect(listed.code).toBe(0);
    expect(listed.output).toContain(`refundId     ${waiting}\n`);
    expect(listed.output).toContain('words        Needs a decision: the charge is disputed.\n');

    await decideRefund(portal.deps, {
      intentId: sale.paymentId,
      decision: { event: 'withdraw', refundId: waiting },
    });
    expect((await run(['status'])).code).toBe(0);
    expect((await run(['refunds'])).output).toBe('No refund needs a person.\n');
  });
});

describe('portal review', () => {
  test('says that there is nothing to do', async () => {
    expect(await run(['review'])).toEqual({
      code: 0,
      output: 'No charge needs a person.\n',
      complaint: '',
    });
  });

  test.each([
    ['release', 'after', 'released'],
    ['close', 'before', 'absent'],
  ] as const)(
    'lists a charge that could not be ruled out, and %s decides it',
    async (decision, when, end) => {
      const charge = await unresolved(when);
      const listed = await run(['review']);
      expect(listed.code).toBe(0);
      expect(listed.output).toMatch(new RegExp(`^chargeId +${charge.id}\nstate +unresolved\n`));

      const decided = await run(['review', decision, charge.id]);
      expect(decided).toMatchObject({ code: 0, complaint: '' });
      expect(decided.output).toMatch(new RegExp(`^Charge ${charge.id}: ${decision} is done.\n`));
      await sweep(portal.deps);
      expect(await chargeState(portal.deps, charge.id)).toBe(end);
      expect((await run(['review'])).output).toBe('No charge needs a person.\n');
    },
  );

  test('reverse decides a charge that could not be captured; until then status fails', async () => {
    await workOtherLanes();
    expect((await run(['status'])).code).toBe(0);
    const charge = await uncaptured();
    await workOtherLanes();
    const status = await run(['status']);
    expect(status.code).toBe(1);
    expect(status.output).toMatch(/\nCharges in review +1\n/);
    expect(status.complaint).toBe(
      'Charges need a person: npm run portal -- review\n  No answer from: merchant account 1.\n',
    );

    expect((await run(['review', 'reverse', charge.id])).code).toBe(0);
    // The account rests after the captures that weren't answered.
    await advanceEngineClock(portal.deps, 61);
    await sweep(portal.deps);
    expect(await chargeState(portal.deps, charge.id)).toBe('capture_failed');
    await workOtherLanes();
    expect((await run(['status'])).code).toBe(0);
  });

  test.each([
    ['an unknown charge', ['close', randomUUID()], 1, 'No such charge is in review.\n'],
    ['what names no charge', ['close', '1042'], 1, 'Name a charge by its chargeId, as review lists it.\n'],
    ['no charge', ['close'], 2, 'Say review, or review release|close|reverse CHARGE.\n'],
    [
      'an unknown decision',
      ['capture', randomUUID()],
      2,
      'Say review, or review release|close|reverse CHARGE.\n',
    ],
  ])('%s is refused with a sentence', async (_what, args, code, complaint) => {
    expect(await run(['review', ...args])).toEqual({ code, output: '', complaint });
  });

  test('refuses a decision that contradicts the provider’s records', async () => {
    const charge = await unresolved('after');
    expect(await run(['review', 'close', charge.id])).toMatchObject({
      code: 1,
      output: '',
      complaint: 'The provider’s records do not prove this. Nothing was changed.\n',
    });
    expect(await chargeState(portal.deps, charge.id)).toBe('unresolved');
  });
});

describe('portal credits', () => {
  test('shows a payer’s note on its own line, and lets it command no terminal', async () => {
    const sale = await guestSale(emulator, await makeInvoice(portal.deps.db.query), {
      additionalServiceAmount: -1,
      additionalServicesNote: 'ok\u001b]0;owned\u0007\u001b[2K\n\ncreditId  7\namount    -0.01',
    });
    expect((await payAsGuest(portal, sale)).statusCode).toBe(200);
    const { code, output } = await run(['credits']);
    expect(code).toBe(0);
    expect(output).toContain(
      'ok\\u001b]0;owned\\u0007\\u001b[2K\\u000a\\u000acreditId  7\\u000aamount    -0.01\n',
    );
    expect(output.match(/^creditId/gm)).toHaveLength(1);
  });
});
