import { sql } from 'drizzle-orm';
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
} from '../../../../test/factories/refunds.ts';
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

  test('of nothing that is left keeps the office’s amount', async () => {
    await writeAmount(payment, 20_00, 0);
    await refundAll(portal.deps, payment, credited({ invoiceCents: 46_19, taxCents: 3_81 }));
    await refundAll(portal.deps, payment, credited({ invoiceCents: 5_00 }));
    await writeAmount(payment, 20_00, 0);
    expect(await invoiceOf(payment)).toMatchObject({ amount: 0 });
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
