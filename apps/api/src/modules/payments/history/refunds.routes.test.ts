import type { Invoice } from '@brightpane/contract/invoices/invoices';
import type { ListedPayment } from '@brightpane/contract/invoices/payment-history';
import { cents } from '@brightpane/money/cents';
import { type RefundParts, refundableCents, spreadRefund } from '@brightpane/money/spread-refund';
import { sql } from 'drizzle-orm';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { setEngineClock } from '../../../../test/books/engine-clock.ts';
import { call, useTestApp } from '../../../../test/build-test-app.ts';
import { makeInvoice } from '../../../../test/factories/invoices.ts';
import {
  type DecidedPayment,
  makePayment,
  type PaidInvoice,
} from '../../../../test/factories/payments/decided-payments.ts';
import { sumDollars, usePaymentHistory } from '../../../../test/factories/payments/payment-history.ts';
import {
  confirmRefund,
  makeRefund,
  refundAll,
  sendRefund,
  undoRefund,
} from '../../../../test/factories/refund-rows.ts';
import { linkLocation, signInUser } from '../../../../test/factories/users.ts';
import { callOffice } from '../../../../test/office/office.ts';
import { mailsTo } from '../../../../test/office/office-people.ts';
import { readTaggedPdf, type TaggedPart } from '../../../../test/read-tagged-pdf.ts';

const portal = useTestApp();
const { listOf, statementOf, paymentOf, open, fileOf, household, join } = usePaymentHistory(portal);
const pay = (given: Parameters<typeof makePayment>[1] = {}) => makePayment(portal.deps, given);

/** 50.00 of 108.25. */
const PART = { invoiceCents: 46_19, taxCents: 3_81 };
const WHOLE = { invoiceCents: 100_00, taxCents: 8_25 };

const lookUp = async ({ franchiseId, workOrderNumber, zipCode }: PaidInvoice) =>
  (
    await call(portal, 'POST', '/user/invoice/search', { body: { franchiseId, workOrderNumber, zipCode } })
  ).json<Invoice>();
const textsOf = async (link: string): Promise<string[]> => {
  const flat = (parts: TaggedPart[]): TaggedPart[] => parts.flatMap((part) => [part, ...flat(part.children)]);
  const pages = await readTaggedPdf((await open(link)).rawPayload);
  return pages.flatMap(({ parts }) => flat(parts)).map(({ text }) => text.replace(/\s+/g, ' ').trim());
};

describe('a refund in the history', () => {
  test('is in list, receipt, statement and file once it is made, and not before', async () => {
    const user = await household();
    const payment = await pay({ userId: user.userId, invoices: [user.first] });
    const { refundId } = await makeRefund(portal.deps, payment, PART);
    const paid = { state: 'paid', refundedAmount: 0, refunds: [], lines: [{ refunded: 0 }] };
    expect(await paymentOf(user, payment)).toMatchObject(paid);
    await sendRefund(portal.deps, refundId);
    expect(await paymentOf(user, payment)).toMatchObject(paid);
    expect(await lookUp(user.first)).toMatchObject({ payments: [{ amount: 108.25 }], balanceDue: 0 });
    await confirmRefund(portal.deps, refundId);

    const listed = await paymentOf(user, payment);
    expect(listed).toMatchObject({
      amount: 108.25,
      state: 'partly-refunded',
      refundedAmount: 50,
      refunds: [{ refundedAt: expect.stringMatching(/T.*-0[56]:00$/), amount: 50 }],
      lines: [{ total: 108.25, refunded: 50 }],
    });
    expect((await listOf(user)).items).toEqual([listed]);
    expect(await statementOf(user)).toMatchObject({
      paidByYou: 108.25,
      refunded: 50,
      franchises: [{ refunded: 50 }],
      rows: [{ total: 108.25, refunded: 50 }],
    });
    expect(await fileOf(user)).toMatchObject([{ total: '108.25', refunded: '50.00' }]);
  });

  test('of the whole payment marks it refunded; an undone one leaves no trace', async () => {
    const user = await household();
    const payment = await pay({ userId: user.userId, invoices: [user.first], tipCents: 5_00 });
    await refundAll(portal.deps, payment, WHOLE);
    expect(await paymentOf(user, payment)).toMatchObject({ state: 'partly-refunded' });
    const tip = await refundAll(portal.deps, payment, { tipCents: 5_00 });
    expect(await paymentOf(user, payment)).toMatchObject({ state: 'refunded', refundedAmount: 113.25 });
    await undoRefund(portal.deps, tip);
    expect(await paymentOf(user, payment)).toMatchObject({
      state: 'partly-refunded',
      refundedAmount: 108.25,
      refunds: [{ amount: 108.25 }],
    });
  });

  test('of several work orders is one refund, of which everybody sees the part at their locations', async () => {
    const ana = await household();
    const elsewhere = await makeInvoice(portal.deps.db.query);
    const ben = await join(ana.locationId);
    const payment = await pay({ userId: ana.userId, invoices: [ana.first, elsewhere] });
    await refundAll(portal.deps, payment, { ...PART, also: [{ invoiceId: elsewhere.invoiceId, ...WHOLE }] });
    const hers = await paymentOf(ana, payment);
    expect(hers).toMatchObject({ refundedAmount: 158.25, refunds: [{ amount: 158.25 }] });
    expect(hers.lines.map(({ refunded }) => refunded)).toEqual([50, 108.25]);
    expect(await paymentOf(ben, payment)).toMatchObject({
      by: 'someone-else',
      amount: 108.25,
      refundedAmount: 50,
      refunds: [{ amount: 50 }],
    });
  });

  test('is on the receipt with its day and the net total', async () => {
    const user = await household();
    const payment = await pay({ userId: user.userId, invoices: [user.first] });
    await refundAll(portal.deps, payment, PART);
    const { receiptLink } = await paymentOf(user, payment);
    const texts = await textsOf(receiptLink ?? '');
    const refunded = texts.slice(texts.indexOf('Refunded')).filter((text) => text !== '');
    expect(refunded).toEqual([
      'Refunded',
      expect.stringMatching(/^\w+ \d{1,2}, \d{4}$/),
      '$50.00',
      'Net total',
      '$58.25',
    ]);
  });
});

test('a refund in two time zones has one day, on the receipt’s page, its PDF and its mail sent again', async () => {
  const db = portal.deps.db.query;
  const west = await makeInvoice(db, { timeZone: 'Pacific/Honolulu' });
  const east = await makeInvoice(db, { timeZone: 'America/Chicago' });
  const user = await signInUser(portal);
  for (const { locationId } of [west, east]) await linkLocation(portal, { userId: user.userId, locationId });
  const payment = await pay({ userId: user.userId, invoices: [west, east] });
  await setEngineClock(portal.deps, '2026-11-20T07:00:00Z');
  await refundAll(portal.deps, payment, { ...PART, also: [{ invoiceId: east.invoiceId, ...PART }] });
  const { refunds, receiptLink } = await paymentOf(user, payment);
  expect(refunds.map(({ refundedAt }) => refundedAt.slice(0, 10))).toEqual(['2026-11-19']);
  expect(await textsOf(receiptLink ?? '')).toContain('November 19, 2026');

  const sent = await callOffice(portal, 'POST', `/payments/${payment.paymentId}/receipt`, {
    body: { email: user.email },
    headers: { 'idempotency-key': payment.paymentId },
  });
  expect(sent.statusCode, sent.body).toBe(202);
  const mails = await mailsTo(portal, user.email);
  expect(mails.at(-1)?.text).toMatch(/Refunded\n-+\n\nNovember 19, 2026 {2,}\$100\.00\n/);
});

describe('a refund in the look-up', () => {
  test('is a negative payment, and what is due again is the balance', async () => {
    const { first } = await household();
    const payment = await pay({ invoices: [first], servicesCents: 20_00, tipCents: 15_00 });
    const whole = await refundAll(portal.deps, payment, {
      ...PART,
      servicesCents: 9_24,
      servicesTaxCents: 76,
      tipCents: 5_00,
    });
    const tip = await refundAll(portal.deps, payment, { tipCents: 10_00 });
    const { workOrderNumber } = first;
    expect(await lookUp(first)).toMatchObject({
      amount: 108.25,
      balanceDue: 50,
      payments: [
        { amount: 144.9, additionalServiceAmount: 20, tipAmount: 15, type: { description: 'Card' } },
        {
          paymentDetailId: `refund:${whole}:${workOrderNumber}`,
          amount: -65,
          additionalServiceAmount: -9.24,
          tipAmount: -5,
          type: { description: 'Refund' },
        },
        {
          paymentDetailId: `refund:${tip}:${workOrderNumber}`,
          amount: -10,
          additionalServiceAmount: 0,
          tipAmount: -10,
          type: { description: 'Refund of tip' },
        },
      ],
      additionalServices: [{ amount: 10.76 }],
      tips: [],
    });
  });

  test('leaves the amount after the credit, with nothing due', async () => {
    const { first } = await household();
    const payment = await pay({ invoices: [first] });
    await refundAll(portal.deps, payment, { invoiceCents: 18_48, taxCents: 1_52, effect: 'credited' });
    expect(await lookUp(first)).toMatchObject({
      amount: 88.25,
      balanceDue: 0,
      payments: [{ amount: 108.25 }, { amount: -20 }],
    });
  });

  test('is on the invoice’s PDF as a dated row, and its column sums to the balance', async () => {
    const { first } = await household();
    const payment = await pay({ invoices: [first], tipCents: 5_00 });
    await refundAll(portal.deps, payment, { invoiceCents: 18_48, taxCents: 1_52, effect: 'credited' });
    await refundAll(portal.deps, payment, { ...PART, tipCents: 2_00 });
    const texts = await textsOf((await lookUp(first)).pdfLink);
    expect(texts.filter((text) => text.startsWith('Card, refunded'))).toEqual([
      'Card, refunded',
      'Card, refunded, with $2.00 tip',
    ]);
    const after = (label: string) => texts[texts.indexOf(label) + 1];
    expect(
      ['Invoice total', 'Credit', 'Tips', 'Payments', 'Refunds', 'Balance due'].map((label) => [
        label,
        after(label),
      ]),
    ).toEqual([
      ['Invoice total', '$108.25'],
      ['Credit', '-$20.00'],
      ['Tips', '$3.00'],
      ['Payments', '-$113.25'],
      ['Refunds', '$72.00'],
      ['Balance due', '$50.00'],
    ]);
  });
});

type Ledger = { paymentId: string; workOrderNumber: number; paid: number; refunded: number };

/** What the ledger says was charged and refunded, for each line of some payments. */
async function ledgerOf(paymentIds: string[]): Promise<Ledger[]> {
  const { rows } = await portal.deps.db.query.execute<Ledger>(sql`
    SELECT c.intent_id AS "paymentId", i.work_order_number AS "workOrderNumber",
           coalesce(sum(e.amount_cents) FILTER (WHERE e.reason = 'payment'), 0)::float8 / 100 AS paid,
           coalesce(sum(CASE e.direction WHEN 'credit' THEN e.amount_cents ELSE -e.amount_cents END)
             FILTER (WHERE starts_with(e.reason, 'refund')), 0)::float8 / 100 AS refunded
      FROM charge c
      JOIN ledger_entry e ON e.charge_id = c.id AND e.account = 'card'
      JOIN invoice i ON i.id = e.invoice_id
     WHERE c.intent_id = ANY(${sql.param(paymentIds)}::uuid[])
     GROUP BY c.intent_id, i.work_order_number`);
  return rows;
}

const RANDOM_PAYMENT = fc.record({
  workOrders: fc.integer({ min: 1, max: 3 }),
  tipCents: fc.integer({ min: 0, max: 20_00 }),
  servicesCents: fc.integer({ min: -50_00, max: 50_00 }),
  refunds: fc.array(
    fc.record({
      of: fc.integer({ min: 0, max: 2 }),
      share: fc.double({ min: 0, max: 1, noNaN: true }),
      tipShare: fc.double({ min: 0, max: 1, noNaN: true }),
      effect: fc.constantFrom('due-again', 'credited'),
      end: fc.constantFrom('made', 'made', 'undone', 'waiting', 'sending'),
    }),
    { maxLength: 4 },
  ),
});

type RandomPayment = typeof RANDOM_PAYMENT extends fc.Arbitrary<infer Value> ? Value : never;

/** Makes the payment, then its refunds one by one out of what is left. */
async function payAndRefund(
  user: Awaited<ReturnType<typeof household>>,
  { workOrders, refunds, ...given }: RandomPayment,
): Promise<DecidedPayment> {
  const invoices = await Promise.all(Array.from({ length: workOrders }, () => user.another()));
  const payment = await pay({ userId: user.userId, invoices, ...given });
  const lines = await paymentOf(user, payment);
  const rests = new Map(lines.lines.map((line) => [line.workOrderNumber, restOf(line)]));
  for (const { of, share, tipShare, effect, end } of refunds) {
    const invoice = invoices[of % workOrders];
    const rest = invoice && rests.get(invoice.workOrderNumber);
    if (!invoice || !rest) continue;
    const amountCents = cents(Math.max(1, Math.round(share * refundableCents(rest))));
    if (refundableCents(rest) < 1) continue;
    const parts = spreadRefund(rest, { amountCents });
    const tipCents = Math.round(tipShare * rest.tipCents);
    const { refundId } = await makeRefund(
      portal.deps,
      { ...payment, invoices: [invoice] },
      { ...parts, tipCents, ...(parts.invoiceCents + parts.taxCents > 0 && { effect }) },
    );
    if (end !== 'undone') subtract(rest, { ...parts, tipCents });
    if (end === 'waiting') continue;
    await sendRefund(portal.deps, refundId);
    // A charge has at most one refund in progress.
    if (end === 'sending') break;
    await confirmRefund(portal.deps, refundId);
    if (end === 'undone') await undoRefund(portal.deps, refundId);
  }
  return payment;
}

type Rest = RefundParts & { tipCents: number };

const restOf = (line: ListedPayment['lines'][number]): Rest => ({
  invoiceCents: cents(Math.round(line.invoiceAmount * 100)),
  taxCents: cents(Math.round(line.salesTax * 100)),
  servicesCents: cents(Math.round(line.services * 100)),
  servicesTaxCents: cents(Math.round(line.servicesTax * 100)),
  tipCents: Math.round(line.tip * 100),
});

function subtract(rest: Rest, taken: Rest): void {
  for (const key of Object.keys(taken) as (keyof Rest)[])
    Object.assign(rest, { [key]: rest[key] - taken[key] });
}

test('list, receipt, statement, file, look-up and ledger agree to the cent, whatever is paid and refunded', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(RANDOM_PAYMENT, { minLength: 1, maxLength: 3 }), async (wanted) => {
      const user = await household();
      const payments: DecidedPayment[] = [];
      for (const each of wanted) payments.push(await payAndRefund(user, each));
      const ledger = await ledgerOf(payments.map(({ paymentId }) => paymentId));
      const refundedOf = (paymentId?: string) =>
        sumDollars(
          ledger
            .filter((each) => paymentId === undefined || each.paymentId === paymentId)
            .map(({ refunded }) => refunded),
        );
      const all = { paid: sumDollars(ledger.map(({ paid }) => paid)), refunded: refundedOf() };

      const { items } = await listOf(user);
      expect({
        paid: sumDollars(items.map(({ amount }) => amount)),
        refunded: sumDollars(items.map(({ refundedAmount }) => refundedAmount)),
      }).toEqual(all);
      for (const item of items) {
        expect(item.refundedAmount).toBe(refundedOf(item.paymentId));
        expect(sumDollars(item.refunds.map(({ amount }) => amount))).toBe(item.refundedAmount);
        expect(sumDollars(item.lines.map(({ refunded }) => refunded))).toBe(item.refundedAmount);
        expect(await paymentOf(user, item)).toEqual(item);
      }
      const [first] = items;
      const receipt = await textsOf(first?.receiptLink ?? '');
      const net = sumDollars([first?.amount ?? 0, -(first?.refundedAmount ?? 0)]).toFixed(2);
      if (first?.refundedAmount) expect(receipt[receipt.indexOf('Net total') + 1]).toBe(`$${net}`);
      else expect(receipt).not.toContain('Net total');

      const { rows, paidByYou, refunded, franchises } = await statementOf(user);
      expect({ paid: paidByYou, refunded }).toEqual(all);
      expect({
        paid: sumDollars(rows.map(({ total }) => total)),
        refunded: sumDollars(rows.map((row) => row.refunded)),
      }).toEqual(all);
      expect(sumDollars(franchises.map((each) => each.refunded))).toBe(all.refunded);
      const file = await fileOf(user);
      expect({
        paid: sumDollars(file.map(({ total }) => Number(total))),
        refunded: sumDollars(file.map((row) => Number(row.refunded))),
      }).toEqual(all);

      for (const invoice of payments.flatMap(({ invoices }) => invoices)) {
        const found = await lookUp(invoice);
        const line = ledger.find(({ workOrderNumber }) => workOrderNumber === invoice.workOrderNumber);
        expect(sumDollars(found.payments.map(({ amount }) => amount))).toBe(
          sumDollars([line?.paid ?? 0, -(line?.refunded ?? 0)]),
        );
      }
    }),
    { numRuns: 10 },
  );
});
