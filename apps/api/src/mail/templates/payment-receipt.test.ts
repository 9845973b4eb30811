import { cents } from '@brightpane/money/cents';
import { invoiceTotals } from '@brightpane/money/invoice-totals';
import { ratePpm } from '@brightpane/money/rate';
import { expect, test } from 'vitest';
import { paymentReceipt, type ReceiptLine } from './payment-receipt.ts';

const line = (
  workOrderNumber: number,
  given: Partial<Parameters<typeof invoiceTotals>[0]> = {},
): ReceiptLine => ({
  workOrderNumber,
  franchiseName: 'Bright North',
  paidOn: 'November 15, 2026',
  servicesNote: null,
  totals: invoiceTotals({
    balanceCents: cents(108_25),
    salesTaxCents: cents(8_25),
    taxRatePpm: ratePpm(82_500),
    servicesCents: cents(0),
    tipCents: cents(0),
    ...given,
  }),
});

const card = { cardBrand: 'Visa', maskedCard: 'xxxx2224' };
const charge = (amountCents: number, reference: string) => ({
  amountCents: cents(amountCents),
  reference,
  ...card,
});

/** The amounts after a label, in reading order. */
const figures = (text: string, label: string) =>
  text
    .split('\n')
    .filter((row) => row.startsWith(`${label} `))
    .map((row) => row.trim().split(/ {2,}/).at(-1));

test('leaves out of a receipt of one work order what was not added', () => {
  const { subject, text } = paymentReceipt({
    lines: [line(1001)],
    charges: [charge(108_25, '4711')],
  });
  expect(subject).toBe('Receipt for your payment of $108.25');
  expect(text).toContain('on November 15, 2026');
  expect(figures(text, 'Invoice amount')).toEqual(['$100.00']);
  expect(figures(text, 'Sales tax')).toEqual(['$8.25']);
  expect(figures(text, 'Reference')).toEqual(['4711']);
  expect(text).not.toMatch(/Tip|Additional services|All together/);
});

test('a long note keeps the other amounts of the text beside their labels', () => {
  const noted = line(1001, { servicesCents: cents(-20_00) });
  const servicesNote = 'the two basement windows were not cleaned, '.repeat(5);
  const { text } = paymentReceipt({ lines: [{ ...noted, servicesNote }], charges: [charge(86_60, '4711')] });
  expect(text).toMatch(/^Invoice amount {2,20}\$100\.00$/m);
  expect(text).toMatch(/^Additional services \(the two .*\) {2}-\$20\.00$/m);
});

test('lists every work order and charge of a receipt of several, and the sums agree', () => {
  const lines = [line(1001, { tipCents: cents(10_00) }), line(1002, { servicesCents: cents(-20_00) })];
  const { text } = paymentReceipt({
    lines,
    charges: [charge(118_25, '4711'), charge(86_60, '4712')],
  });
  expect(figures(text, 'Total')).toEqual(['$118.25', '$86.60']);
  expect(figures(text, 'Additional services')).toEqual(['-$20.00']);
  expect(figures(text, '2 work orders')).toEqual(['$204.85']);
  expect(figures(text, 'Amount')).toEqual(['$118.25', '$86.60']);
});

test('names and notes are shown as they were typed, and never as markup', () => {
  const { html, text } = paymentReceipt({
    lines: [{ ...line(1001, { servicesCents: cents(5_00) }), servicesNote: '<script>alert(1)</script> 🪟' }],
    charges: [charge(113_66, '4711')],
  });
  expect(text).toContain('<script>alert(1)</script> 🪟');
  expect(html).toContain('&lt;script&gt;alert(1)&lt;/script&gt; 🪟');
  expect(html).not.toContain('<script>');
});

test('dates each part of a payment that falls on two days in its franchises’ time zones', () => {
  const lines = [line(1001), { ...line(1002), paidOn: 'November 16, 2026' }];
  const { text } = paymentReceipt({ lines, charges: [charge(216_50, '4711')] });
  expect(text).toContain('We received your payment.');
  expect(figures(text, 'Paid on')).toEqual(['November 15, 2026', 'November 16, 2026']);
});

test('links an account holder to the receipt’s page, and a guest to none', () => {
  const receipt = { lines: [line(1001)], charges: [charge(108_25, '4711')] };
  const receiptUrl = 'https://pay.example.com/payments/7';
  expect(paymentReceipt({ ...receipt, receiptUrl }).text).toContain(`See receipt:\n${receiptUrl}\n`);
  expect(paymentReceipt(receipt).text).not.toContain('See receipt');
});
