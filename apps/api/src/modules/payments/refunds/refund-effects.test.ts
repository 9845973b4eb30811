import { sql } from 'drizzle-orm';
import fc from 'fast-check';
import { beforeEach, describe, expect, test } from 'vitest';
import { listViolations } from '../../../../test/books/list-violations.ts';
import { type DecidedPayment, makePayment } from '../../../../test/factories/payments/decided-payments.ts';
import {
  confirmRefund,
  makeRefund,
  type RefundedParts,
  refundAll,
  sendRefund,
  undoRefund,
} from '../../../../test/factories/refund-rows.ts';
import { importRows, officeRow } from '../../../../test/office/office.ts';
import { usePayments } from '../../../../test/use-payments.ts';
import { listRecentViolations } from '../books/books.queries.ts';

const { portal, db } = usePayments();

const AT = '2026-01-15T18:00:00Z';
const WHOLE: RefundedParts = { invoiceCents: 100_00, taxCents: 8_25 };
/** 20.00 of 108.25. */
const PART: RefundedParts = { invoiceCents: 18_48, taxCents: 1_52 };

const credited = (parts: RefundedParts): RefundedParts => ({ ...parts, effect: 'credited' });

type Invoice = {
  amount: number;
  tax: number;
  paid: number;
  paidTax: number;
  balance: number;
  version: number;
  overpaid: number;
};

async function invoiceOf({ invoices }: Pick<DecidedPayment, 'invoices'>): Promise<Invoice> {
  const { rows } = await db().execute<Invoice>(sql`
    SELECT amount_cents AS amount, tax_cents AS tax, paid_cents AS paid, paid_tax_cents AS "paidTax",
           balance_cents AS balance, version, overpaid_cash(i) AS overpaid
      FROM invoice i WHERE id = ${invoices[0]?.invoiceId}`);
  if (!rows[0]) throw new Error('no invoice');
  return rows[0];
}

/** Writes the amount as the office's nightly file does. */
const writeAmount = ({ invoices }: DecidedPayment, amount: number, tax = 8_25) =>
  db().execute(sql`
    UPDATE invoice SET amount_cents = ${amount}, tax_cents = ${tax} WHERE id = ${invoices[0]?.invoiceId}`);

let payment: DecidedPayment;

beforeEach(async () => {
  payment = await makePayment(portal.deps, { at: AT });
});

async function expectTrue(): Promise<void> {
  expect(await listViolations(db())).toEqual([]);
  expect(await portal.deps.db.transaction(listRecentViolations)).toEqual([]);
}

describe('what is due again', () => {
  test('is no longer paid, and raises the balance', async () => {
    const before = await invoiceOf(payment);
    await refundAll(portal.deps, payment, PART);
    expect(await invoiceOf(payment)).toEqual({
      ...before,
      paid: 88_25,
      paidTax: 6_73,
      balance: 20_00,
      version: before.version + 1,
    });
    await expectTrue();
  });

  test('is stored with the refund, for good', async () => {
    const fellDue = async (refundId: string) => {
      const { rows } = await db().execute<{ fellDue: number | null }>(sql`
        SELECT fell_due_cents AS "fellDue" FROM refund_line WHERE refund_id = ${refundId}`);
      return rows.map((row) => row.fellDue);
    };
    const tipped = await makePayment(portal.deps, { at: AT, tipCents: 15_00 });
    await writeAmount(tipped, 88_25, 6_73);
    const { refundId: asked } = await makeRefund(portal.deps, tipped, { invoiceCents: 50_00 });
    expect(await fellDue(asked)).toEqual([null]);
    await sendRefund(portal.deps, asked);
    await confirmRefund(portal.deps, asked);
    expect(await fellDue(asked)).toEqual([30_00]);
    // The office credits it by its next file, and the provider takes the refund back.
    await writeAmount(tipped, 58_25, 4_44);
    await undoRefund(portal.deps, asked);
    expect(await fellDue(asked)).toEqual([30_00]);
    expect(await fellDue(await refundAll(portal.deps, tipped, { tipCents: 15_00 }))).toEqual([null]);
    const part = { invoiceCents: 5_00 };
    expect(await fellDue(await refundAll(portal.deps, tipped, part))).toEqual([0]);
    expect(await fellDue(await refundAll(portal.deps, payment, part))).toEqual([5_00]);
    expect(await fellDue(await refundAll(portal.deps, payment, credited(part)))).toEqual([0]);
    await expectTrue();
  });

  test('is nothing if as much was paid elsewhere', async () => {
    await db().execute(sql`
      UPDATE invoice SET amount_cents = 100000, tax_cents = 0 WHERE id = ${payment.invoices[0]?.invoiceId}`);
    await writeAmount(payment, 58_25);
    expect(await invoiceOf(payment)).toMatchObject({ overpaid: 50_00 });
    await refundAll(portal.deps, payment, { invoiceCents: 46_19, taxCents: 3_81 });
    expect(await invoiceOf(payment)).toMatchObject({ balance: 0, overpaid: 0 });
    await expectTrue();
  });

  test('is taken back to the cent when the refund is undone', async () => {
    const before = await invoiceOf(payment);
    const refundId = await refundAll(portal.deps, payment, WHOLE);
    expect(await invoiceOf(payment)).toMatchObject({ paid: 0, paidTax: 0, balance: 108_25 });
    await undoRefund(portal.deps, refundId);
    expect(await invoiceOf(payment)).toEqual({ ...before, version: before.version + 2 });
    await expectTrue();
  });

  test('a tip alone changes neither the balance nor the version', async () => {
    const tipped = await makePayment(portal.deps, { at: AT, tipCents: 15_00, servicesCents: 20_00 });
    const before = await invoiceOf(tipped);
    await refundAll(portal.deps, tipped, { tipCents: 15_00 });
    await refundAll(portal.deps, tipped, { servicesCents: 20_00, servicesTaxCents: 1_65 });
    expect(await invoiceOf(tipped)).toEqual(before);
    await expectTrue();
  });
});

describe('what is credited', () => {
  test('is neither paid nor due', async () => {
    const before = await invoiceOf(payment);
    await refundAll(portal.deps, payment, credited(PART));
    expect(await invoiceOf(payment)).toEqual({
      ...before,
      amount: 88_25,
      tax: 6_73,
      paid: 88_25,
      paidTax: 6_73,
      balance: 0,
      version: before.version + 1,
    });
    await expectTrue();
  });

  test.each([
    ['repeats the old amount', 108_25, { amount: 88_25, balance: 0, overpaid: 0 }],
    ['takes the credit off itself', 88_25, { amount: 88_25, balance: 0, overpaid: 0 }],
    ['asks 12.00 more', 120_25, { amount: 100_25, balance: 12_00, overpaid: 0 }],
    ['lowers it beyond the credit', 80_25, { amount: 80_25, balance: 0, overpaid: 8_00 }],
  ])('survives an office that %s', async (_says, amount, expected) => {
    await refundAll(portal.deps, payment, credited(PART));
    for (const night of [1, 2]) {
      await writeAmount(payment, amount);
      expect([night, await invoiceOf(payment)]).toMatchObject([night, expected]);
    }
    await expectTrue();
  });

  test('adds up over several credits, and undoing one keeps the others', async () => {
    const first = await refundAll(portal.deps, payment, credited(PART));
    await refundAll(portal.deps, payment, credited({ invoiceCents: 9_24, taxCents: 76 }));
    expect(await invoiceOf(payment)).toMatchObject({ amount: 78_25, tax: 5_97, balance: 0 });
    await undoRefund(portal.deps, first);
    expect(await invoiceOf(payment)).toMatchObject({ amount: 98_25, tax: 7_49, paid: 98_25, balance: 0 });
    await writeAmount(payment, 108_25);
    expect(await invoiceOf(payment)).toMatchObject({ amount: 98_25, tax: 7_49 });
    await expectTrue();
  });

  test('after an office has copied a credit, the next one counts from there', async () => {
    await refundAll(portal.deps, payment, credited(PART));
    await writeAmount(payment, 88_25, 6_73);
    await refundAll(portal.deps, payment, credited({ invoiceCents: 9_24, taxCents: 76 }));
    expect(await invoiceOf(payment)).toMatchObject({ amount: 78_25, tax: 5_97, paid: 78_25 });
    await writeAmount(payment, 88_25, 6_73);
    expect(await invoiceOf(payment)).toMatchObject({ amount: 78_25, tax: 5_97, overpaid: 0 });
    await expectTrue();
  });

  test('beyond the office’s current amount reduces it to zero, and never below', async () => {
    await writeAmount(payment, 10_00, 1_00);
    await refundAll(portal.deps, payment, credited(WHOLE));
    expect(await invoiceOf(payment)).toMatchObject({ amount: 0, tax: 0, paid: 0, balance: 0 });
    await expectTrue();
  });

  test('of what the office has taken off already keeps the office’s amount', async () => {
    await writeAmount(payment, 20_00, 0);
    await refundAll(portal.deps, payment, credited({ invoiceCents: 46_19, taxCents: 3_81 }));
    await refundAll(portal.deps, payment, credited({ invoiceCents: 5_00 }));
    const sums = { amount: 20_00, tax: 0, paid: 53_25, balance: 0, overpaid: 33_25 };
    expect(await invoiceOf(payment)).toMatchObject(sums);
    await writeAmount(payment, 20_00, 0);
    expect(await invoiceOf(payment)).toMatchObject(sums);
    await writeAmount(payment, 108_25);
    expect(await invoiceOf(payment)).toMatchObject({ amount: 53_25, balance: 0, overpaid: 0 });
    await expectTrue();
  });

  test('is not changed by a file that repeats the office’s amount', async () => {
    const row = officeRow();
    await importRows(portal, [row]);
    const { rows } = await db().execute<{ id: number }>(sql`
      SELECT id FROM invoice WHERE franchise_id = ${row.franchiseId} AND work_order_number = ${row.workOrderNumber}`);
    const paid = await makePayment(portal.deps, {
      at: AT,
      invoices: [{ invoiceId: Number(rows[0]?.id) } as DecidedPayment['invoices'][number]],
    });
    await refundAll(portal.deps, paid, credited(PART));
    expect((await importRows(portal, [row])).json()).toMatchObject({ updated: 0, unchanged: 1 });
    expect((await importRows(portal, [{ ...row, service: 'Gutters' } as never])).json()).toMatchObject({
      updated: 1,
    });
    expect((await importRows(portal, [{ ...row, service: 'Gutters' } as never])).json()).toMatchObject({
      unchanged: 1,
    });
    expect(await invoiceOf(paid)).toMatchObject({ amount: 88_25, balance: 0 });
    await expectTrue();
  });
});

describe('an office that takes a credit off itself', () => {
  const OFFICE_SAYS: [string, number, number][] = [
    ['the amount of before', 108_25, 8_25],
    ['the credited amount', 88_25, 6_73],
    ['the credited amount, but the tax of before', 88_25, 8_25],
    ['half of the credit', 98_25, 7_49],
    ['more than the credit', 80_25, 6_12],
    ['nothing', 0, 0],
    ['the amount without tax', 100_00, 0],
    ['a higher amount', 120_25, 9_16],
  ];

  /** The credit is booked after the office's file, or before it. */
  async function credit(amount: number, tax: number, { isFirst }: { isFirst: boolean }) {
    const paid = await makePayment(portal.deps, { at: AT });
    const { refundId } = await makeRefund(portal.deps, paid, credited(PART));
    await sendRefund(portal.deps, refundId);
    if (isFirst) await writeAmount(paid, amount, tax);
    await confirmRefund(portal.deps, refundId);
    if (!isFirst) await writeAmount(paid, amount, tax);
    return { paid, refundId };
  }

  const withoutVersion = ({ version: _, ...sums }: Invoice) => sums;

  test.each(OFFICE_SAYS)(
    'says %s: the same before as after the refund is booked',
    async (_says, amount, tax) => {
      const [before, after] = [
        await credit(amount, tax, { isFirst: true }),
        await credit(amount, tax, { isFirst: false }),
      ];
      const expectSame = async () =>
        expect(withoutVersion(await invoiceOf(before.paid))).toEqual(
          withoutVersion(await invoiceOf(after.paid)),
        );
      await expectSame();
      for (const { paid } of [before, after]) await writeAmount(paid, 108_25);
      await expectSame();
      for (const { refundId } of [before, after]) await undoRefund(portal.deps, refundId);
      expect(await invoiceOf(before.paid)).toMatchObject({
        amount: 108_25,
        tax: 8_25,
        paid: 108_25,
        overpaid: 0,
      });
      await expectSame();
      await expectTrue();
    },
  );

  test('has not received too much, and has if the refund is undone', async () => {
    const { paid, refundId } = await credit(88_25, 6_73, { isFirst: true });
    const sums = { amount: 88_25, tax: 6_73, paid: 88_25, paidTax: 6_73, balance: 0, overpaid: 0 };
    expect(await invoiceOf(paid)).toMatchObject(sums);
    await writeAmount(paid, 88_25, 6_73);
    expect(await invoiceOf(paid)).toMatchObject(sums);
    await undoRefund(portal.deps, refundId);
    expect(await invoiceOf(paid)).toMatchObject({ amount: 88_25, tax: 6_73, paid: 108_25, overpaid: 20_00 });
    await expectTrue();
  });

  test('takes off one of two that are on their way: the other one counts in full', async () => {
    const ours = [PART, { invoiceCents: 9_24, taxCents: 76 }];
    const asked = [];
    for (const parts of ours) asked.push(await makeRefund(portal.deps, payment, credited(parts)));
    await writeAmount(payment, 88_25, 6_73);
    for (const { refundId } of asked) {
      await sendRefund(portal.deps, refundId);
      await confirmRefund(portal.deps, refundId);
    }
    expect(await invoiceOf(payment)).toMatchObject({ amount: 78_25, tax: 5_97, paid: 78_25, overpaid: 0 });
    await expectTrue();
  });

  test('is not confused with one that is paid a second time', async () => {
    const { refundId } = await makeRefund(portal.deps, payment, credited(PART));
    await sendRefund(portal.deps, refundId);
    // Past the ledger, which the books would notice.
    await db().execute(sql`
      UPDATE invoice SET paid_elsewhere_cents = 10825 WHERE id = ${payment.invoices[0]?.invoiceId}`);
    await confirmRefund(portal.deps, refundId);
    expect(await invoiceOf(payment)).toMatchObject({ amount: 88_25, overpaid: 108_25 });
    await db().execute(sql`
      UPDATE invoice SET paid_elsewhere_cents = 0 WHERE id = ${payment.invoices[0]?.invoiceId}`);
    await expectTrue();
  });

  test('after it had asked for more: nothing falls due by the refund', async () => {
    await writeAmount(payment, 128_25);
    const { refundId } = await makeRefund(portal.deps, payment, credited(PART));
    await writeAmount(payment, 118_25);
    await sendRefund(portal.deps, refundId);
    await confirmRefund(portal.deps, refundId);
    expect(await invoiceOf(payment)).toMatchObject({ amount: 98_25, paid: 88_25, balance: 10_00 });
    await expectTrue();
  });

  test('keeps a later credit if the earlier one is undone', async () => {
    const first = await refundAll(portal.deps, payment, credited(PART));
    await writeAmount(payment, 88_25, 6_73);
    await refundAll(portal.deps, payment, credited({ invoiceCents: 9_24, taxCents: 76 }));
    await undoRefund(portal.deps, first);
    await writeAmount(payment, 108_25);
    expect(await invoiceOf(payment)).toMatchObject({ amount: 98_25, tax: 7_49, paid: 98_25, balance: 0 });
    await expectTrue();
  });
});

const taxIn = (amountCents: number) => Math.round((amountCents * 8_25) / 108_25);

const OFFICE_AND_CREDITS = fc.record({
  credits: fc.array(fc.integer({ min: 1, max: 25_00 }), { minLength: 1, maxLength: 4 }),
  acts: fc.array(
    fc.oneof(
      fc.record({ says: fc.oneof(fc.constant(108_25), fc.integer({ min: 0, max: 110_00 })) }),
      fc.record({ credit: fc.nat({ max: 3 }) }),
    ),
    { maxLength: 16 },
  ),
});

test('a credit counts once and makes nothing due, whatever the office says and when', async () => {
  await fc.assert(
    fc.asyncProperty(OFFICE_AND_CREDITS, async ({ credits, acts }) => {
      const paid = await makePayment(portal.deps, { at: AT });
      const refunds: { refundId: string; state: 'asked' | 'made' | 'undone' }[] = [];
      /** The office's amount, the highest of them, and what is credited. */
      const told = { office: 108_25, most: 108_25, credited: 0 };
      const goOn = async (index: number) => {
        const [amountCents = 0, refund] = [credits[index], refunds[index]];
        if (!refund && amountCents > 0) {
          const parts = { invoiceCents: amountCents - taxIn(amountCents), taxCents: taxIn(amountCents) };
          const { refundId } = await makeRefund(portal.deps, paid, credited(parts));
          refunds[index] = { refundId, state: 'asked' };
        } else if (refund?.state === 'asked') {
          const due = (await invoiceOf(paid)).balance;
          await sendRefund(portal.deps, refund.refundId);
          await confirmRefund(portal.deps, refund.refundId);
          expect((await invoiceOf(paid)).balance).toBe(due);
          told.credited += amountCents;
          refund.state = 'made';
        } else if (refund?.state === 'made') {
          await undoRefund(portal.deps, refund.refundId);
          told.credited -= amountCents;
          refund.state = 'undone';
        }
      };
      for (const act of acts) {
        if ('credit' in act) await goOn(act.credit);
        else {
          await writeAmount(paid, act.says, taxIn(act.says));
          told.office = act.says;
          told.most = Math.max(told.most, act.says);
        }
        // Beyond what was paid, the office may ask more, or take a credit off what it asks more.
        if (told.most > 108_25) continue;
        const left = 108_25 - told.credited;
        const amount = Math.min(told.office, left);
        expect(await invoiceOf(paid)).toMatchObject({ amount, paid: left, overpaid: left - amount });
      }
      const { rows: broken } = await db().execute(
        sql`SELECT * FROM broken_balances(ARRAY[${paid.invoices[0]?.invoiceId}]::bigint[])`,
      );
      expect(broken).toEqual([]);
      for (const index of credits.keys()) while (refunds[index]?.state !== 'undone') await goOn(index);
      await writeAmount(paid, 108_25);
      expect(await invoiceOf(paid)).toMatchObject({ amount: 108_25, tax: 8_25, paid: 108_25, balance: 0 });
    }),
    { numRuns: 30 },
  );
  await expectTrue();
});

describe('a payer’s credit', () => {
  test('that the office copies is no overpayment, and what it lowers beyond that is', async () => {
    const taken = await makePayment(portal.deps, { at: AT, servicesCents: -10_00 });
    await writeAmount(taken, 97_42);
    expect(await invoiceOf(taken)).toMatchObject({ overpaid: 0 });
    await writeAmount(taken, 90_00);
    expect(await invoiceOf(taken)).toMatchObject({ overpaid: 7_42 });
  });

  test('is refunded with its part', async () => {
    const taken = await makePayment(portal.deps, { at: AT, servicesCents: -10_00 });
    await refundAll(portal.deps, taken, {
      invoiceCents: 50_00,
      taxCents: 4_13,
      servicesCents: -5_00,
      servicesTaxCents: -42,
    });
    expect(await invoiceOf(taken)).toMatchObject({ paid: 54_12, balance: 54_13 });
    await writeAmount(taken, 48_71, 4_00);
    expect(await invoiceOf(taken)).toMatchObject({ overpaid: 0 });
    await expectTrue();
  });

  test.each([
    ['in the office’s amount, too', 97_42, 7_42, { amount: 77_42, tax: 5_90, overpaid: 0 }],
    ['not in the office’s amount', 108_25, 8_25, { amount: 86_03, tax: 6_56, overpaid: 0 }],
  ])('that is %s, is refunded once with what is credited', async (_where, amount, tax, expected) => {
    const taken = await makePayment(portal.deps, { at: AT, servicesCents: -10_00 });
    await writeAmount(taken, amount, tax);
    const parts = { invoiceCents: 20_53, taxCents: 1_69, servicesCents: -2_05, servicesTaxCents: -17 };
    const refundId = await refundAll(portal.deps, taken, credited(parts));
    expect(await invoiceOf(taken)).toMatchObject({ ...expected, paid: 86_03, paidTax: 6_56, balance: 0 });
    await writeAmount(taken, 108_25);
    expect(await invoiceOf(taken)).toMatchObject({ amount: 86_03, tax: 6_56, balance: 0, overpaid: 0 });
    await undoRefund(portal.deps, refundId);
    expect(await invoiceOf(taken)).toMatchObject({ amount: 108_25, tax: 8_25, balance: 0, overpaid: 0 });
    await expectTrue();
  });
});

/** A payer's credit, how much of it the office copies, what is credited of the payment by each refund, and what follows. */
const CREDITED_AT_ONCE = fc.record({
  servicesCents: fc.integer({ min: -40_00, max: -1 }),
  copied: fc.constantFrom(0, 0.25, 0.5, 1),
  percents: fc.array(fc.integer({ min: 1, max: 30 }), { minLength: 2, maxLength: 3 }),
  order: fc.shuffledSubarray([0, 1, 2], { minLength: 1 }),
  undone: fc.integer({ min: 0, max: 3 }),
  copiedLater: fc.constantFrom(0, 0.25, 0.5, 1),
});
type CreditedAtOnce = typeof CREDITED_AT_ONCE extends fc.Arbitrary<infer Given> ? Given : never;

/** The invoice after the refunds were made, after one of them was undone, and after the office's next file. */
async function creditParts(given: CreditedAtOnce, { areAtOnce }: { areAtOnce: boolean }) {
  const { servicesCents, copied, percents, order, undone, copiedLater } = given;
  const paid = await makePayment(portal.deps, { at: AT, servicesCents });
  const servicesTaxCents = Math.max(-Math.round(-servicesCents * 0.0825), -8_25);
  const copy = (share: number) =>
    writeAmount(
      paid,
      108_25 + Math.round((servicesCents + servicesTaxCents) * share),
      8_25 + Math.round(servicesTaxCents * share),
    );
  const partOf = (cents: number, percent: number) => Math.round((cents * percent) / 100);
  const ask = async (percent: number) => {
    const parts = {
      invoiceCents: partOf(100_00, percent),
      taxCents: partOf(8_25, percent),
      servicesCents: -partOf(-servicesCents, percent),
      servicesTaxCents: -partOf(-servicesTaxCents, percent),
    };
    return (await makeRefund(portal.deps, paid, credited(parts))).refundId;
  };
  const make = async (refundId: string) => {
    await sendRefund(portal.deps, refundId);
    await confirmRefund(portal.deps, refundId);
  };

  await copy(copied);
  const refundIds: (string | undefined)[] = [];
  const made = order.filter((index) => index < percents.length);
  if (areAtOnce) {
    for (const percent of percents) refundIds.push(await ask(percent));
    for (const index of made) await make(refundIds[index] ?? '');
  } else {
    for (const index of made) {
      refundIds[index] = await ask(percents[index] ?? 0);
      await make(refundIds[index] ?? '');
    }
  }
  const seen: Omit<Invoice, 'version'>[] = [];
  const look = async () => {
    const { version: _, ...sums } = await invoiceOf(paid);
    seen.push(sums);
  };
  await look();
  const toUndo = made.includes(undone) ? refundIds[undone] : undefined;
  if (toUndo) await undoRefund(portal.deps, toUndo);
  await look();
  await copy(copiedLater);
  await look();
  return seen;
}

describe('parts of one invoice that are credited at once', () => {
  const COPIED: CreditedAtOnce = {
    servicesCents: -10_00,
    copied: 1,
    percents: [20, 30],
    order: [1, 0],
    undone: 3,
    copiedLater: 1,
  };

  test('overpay nothing where the office has copied the payer’s credit', async () => {
    const [first, , last] = await creditParts(COPIED, { areAtOnce: true });
    const sums = { amount: 48_71, paid: 54_12, balance: 0, overpaid: 0 };
    expect([first, last]).toMatchObject([sums, sums]);
    await expectTrue();
  });

  test('come to the same as one after the other', async () => {
    await fc.assert(
      fc.asyncProperty(CREDITED_AT_ONCE, async (given) => {
        expect(await creditParts(given, { areAtOnce: true })).toEqual(
          await creditParts(given, { areAtOnce: false }),
        );
      }),
      { numRuns: 30 },
    );
    await expectTrue();
  });
});

test('the ledger says what was refunded, and what was taken back', async () => {
  const paid = await makePayment(portal.deps, { at: AT, tipCents: 15_00, servicesCents: -10_00 });
  const parts = {
    invoiceCents: 100_00,
    taxCents: 8_25,
    servicesCents: -10_00,
    servicesTaxCents: -83,
    tipCents: 15_00,
  };
  const refundId = await refundAll(portal.deps, paid, credited(parts));
  const entriesOf = async (reason: string) => {
    const { rows } = await db().execute<{ entry: string }>(sql`
      SELECT account || ' ' || direction || ' ' || amount_cents AS entry FROM ledger_entry
       WHERE charge_id = ${paid.chargeId} AND reason = ${`${reason}:${refundId}`} ORDER BY 1`);
    return rows.map(({ entry }) => entry);
  };
  expect(await entriesOf('refund')).toEqual([
    'card credit 11242',
    'credits debit 10825',
    'services credit 1000',
    'services-tax credit 83',
    'tips debit 1500',
  ]);
  await undoRefund(portal.deps, refundId);
  expect(await entriesOf('refund-undone')).toEqual([
    'card debit 11242',
    'credits credit 10825',
    'services debit 1000',
    'services-tax debit 83',
    'tips credit 1500',
  ]);
  await expectTrue();
});

test.each([
  [
    'RA refunds stay within their charge',
    `UPDATE refund_line SET invoice_cents = 1000000 WHERE refund_id = %id%`,
  ],
  [
    'RD what is made is booked, and nothing else',
    `UPDATE refund SET state = 'withdrawn', made_at = NULL, transaction_key = NULL, method = NULL, sent_at = NULL, deadline_at = NULL WHERE id = %id%`,
  ],
  ['RF nothing is sent too early', `UPDATE refund SET sent_at = '2026-01-15T18:01:00Z' WHERE id = %id%`],
  [
    'RF nothing is sent too early',
    `INSERT INTO dispute (charge_id, amount_cents, opened_on, created_at) SELECT charge_id, 1, '2026-01-01', '2026-01-02' FROM refund WHERE id = %id%`,
  ],
  [
    'RG no refund stays unfinished unseen',
    `UPDATE refund SET state = 'sending', made_at = NULL, deadline_at = engine_now() - interval '6 minutes' WHERE id = %id%`,
  ],
  ['I9 the balance is what is left', `UPDATE invoice SET paid_cents = paid_cents + 1 WHERE id = %invoice%`],
  ['I9 the balance is what is left', `UPDATE invoice SET credits_left_cents = 1 WHERE id = %invoice%`],
  [
    'RH amount and tax follow the credits',
    `UPDATE invoice SET amount_cents = amount_cents + 1 WHERE id = %invoice%`,
  ],
  [
    'RH amount and tax follow the credits',
    `UPDATE invoice SET credited_cents = credited_cents + 1, credit_basis_cents = credit_basis_cents + 1 WHERE id = %invoice%`,
  ],
])('"%s" detects changes made past the guards', async (rule, statement) => {
  const refundId = await refundAll(portal.deps, payment, credited(PART));
  const [own] = payment.invoices;
  const told: string[] = [];
  await portal.deps.db
    .transaction(async (tx) => {
      await tx.execute(sql`SET LOCAL session_replication_role = replica`);
      await tx.execute(
        sql.raw(
          statement.replaceAll('%id%', `'${refundId}'`).replaceAll('%invoice%', String(own?.invoiceId)),
        ),
      );
      told.push(...(await listViolations(tx)).map((violation) => violation.rule));
      throw new Error('taken back');
    })
    .catch((error: Error) => expect(error.message).toBe('taken back'));
  expect(told).toContain(rule);
});
