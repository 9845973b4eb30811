import { parseDollars } from '@brightpane/money/cents';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { documentPayment, documentRow } from '../../../../test/factories/document-rows.ts';
import type { DocumentRow } from '../documents.queries.ts';
import { invoicePage } from './invoice-page.ts';

const pageOf = (given: Partial<DocumentRow> = {}) =>
  invoicePage(documentRow(given), 'https://pay.example.com');
const totalsOf = (given: Partial<DocumentRow>) =>
  pageOf(given).totals.map(({ label, amount }) => `${label} ${amount}`);

test('the code opens the guest payment with all three numbers', () => {
  expect(pageOf({ zipCode: 'T6G 2C7' }).payUrl).toBe(
    'https://pay.example.com/guest-payment?franchiseNumber=105&workOrderNumber=1042&zipCode=T6G+2C7',
  );
});

test('an invoice without a zip code is paid after signing in', () => {
  const page = pageOf({ zipCode: '', zipKey: null });
  expect(page.zipCode).toBeNull();
  expect(page.payUrl).toBe('https://pay.example.com/login');
});

test.each<[string, Partial<DocumentRow>, string]>([
  ['something is owed', { balanceCents: 1 }, 'balance-due'],
  ['all is paid', { balanceCents: 0 }, 'paid'],
  ['there never was anything to pay', { amountCents: 0, taxCents: 0, balanceCents: 0 }, 'nothing-due'],
])('the stamp when %s', (_when, given, status) => {
  expect(pageOf(given).status).toBe(status);
});

test.each<[string, Partial<DocumentRow>, { completed: string; due: string }]>([
  ['both are known', {}, { completed: 'Nov 3, 2026', due: 'Nov 30, 2026' }],
  ['neither is', { completedDate: null, dueDate: null }, { completed: 'Upcoming', due: 'Pending' }],
])('the dates when %s', (_when, given, dates) => {
  expect(pageOf(given)).toMatchObject(dates);
});

test('an unpaid invoice shows its services and its tax', () => {
  expect(totalsOf({})).toEqual(['Services $100.00', 'Sales tax (8.25%) $8.25', 'Invoice total $108.25']);
});

test('shows what a payer added apart from the invoice, and as paid', () => {
  const payments = [documentPayment({ servicesCents: 20_00, servicesTaxCents: 1_65, tipCents: 15_00 })];
  expect(totalsOf({ balanceCents: 0, payments }).slice(3)).toEqual([
    'Additional services $20.00',
    'Tax on additional services $1.65',
    'Tips $15.00',
    'Payments -$144.90',
  ]);
});

test('names what was paid beyond the invoice', () => {
  const payments = [documentPayment(), documentPayment({ method: 'office', invoiceCents: 50_00 })];
  expect(totalsOf({ balanceCents: 0, overpaidCents: 50_00, payments }).slice(3)).toEqual([
    'Payments -$158.25',
    'Overpaid $50.00',
  ]);
});

test('shows refunds apart from payments, and no longer as added', () => {
  const payments = [
    documentPayment({ servicesCents: 20_00, servicesTaxCents: 1_65, tipCents: 15_00 }),
    documentPayment({
      method: 'refund',
      invoiceCents: -50_00,
      servicesCents: -20_00,
      servicesTaxCents: -1_65,
      tipCents: -5_00,
    }),
  ];
  expect(totalsOf({ balanceCents: 50_00, payments }).slice(3)).toEqual([
    'Tips $10.00',
    'Payments -$144.90',
    'Refunds $76.65',
  ]);
  expect(pageOf({ payments }).payments[1]).toEqual({
    date: 'Nov 5, 2026',
    method: 'Card, refunded',
    detail: '$20.00 additional services and $5.00 tip',
    amount: '-$76.65',
  });
});

test('deducts credits from what the office asked for', () => {
  const credited = { amountCents: 88_25, taxCents: 6_73, officeAmountCents: 108_25, officeTaxCents: 8_25 };
  const payments = [documentPayment(), documentPayment({ method: 'refund', invoiceCents: -20_00 })];
  expect(totalsOf({ ...credited, balanceCents: 0, payments })).toEqual([
    'Services $100.00',
    'Sales tax (8.25%) $8.25',
    'Invoice total $108.25',
    'Credit -$20.00',
    'Payments -$108.25',
    'Refunds $20.00',
  ]);
});

test('the figures under the invoice total sum to the balance, whatever was paid', () => {
  const cents = fc.integer({ min: 0, max: 500_000 });
  const amounts = fc.record({
    invoiceCents: fc.integer({ min: -50_000, max: 200_000 }),
    servicesCents: fc.integer({ min: -20_000, max: 20_000 }),
    servicesTaxCents: fc.integer({ min: -2_000, max: 2_000 }),
    tipCents: fc.integer({ min: 0, max: 20_000 }),
    method: fc.constantFrom('card', 'office', 'refund'),
  });
  fc.assert(
    fc.property(cents, cents, cents, fc.array(amounts), (amountCents, officeAmountCents, credits, paid) => {
      const left = amountCents - paid.reduce((sum, each) => sum + each.invoiceCents, 0);
      const balanceCents = Math.max(0, left);
      const payments = paid.map((each) => documentPayment(each));
      const { totals, balance } = pageOf({
        amountCents,
        taxCents: 0,
        officeAmountCents,
        officeTaxCents: 0,
        balanceCents,
        overpaidCents: Math.max(0, -left - credits),
        payments,
      });
      const centsOf = (amount: string) => parseDollars(amount.replace(/[$,]/g, '')) ?? Number.NaN;
      const fromTotal = totals.slice(2).reduce((sum, line) => sum + centsOf(line.amount), 0);
      expect(fromTotal).toBe(centsOf(balance));
    }),
  );
});

test('dates a payment by the day in the franchise’s time zone', () => {
  const payments = [documentPayment({ paidAt: '2026-11-05T03:00:00+00:00', tipCents: 15_00 })];
  expect(pageOf({ balanceCents: 0, payments }).payments).toEqual([
    { date: 'Nov 4, 2026', method: 'Card', detail: '$15.00 tip', amount: '$123.25' },
  ]);
});

test('names what was added to a payment as the payer typed it', () => {
  const added = { servicesCents: 20_00, servicesTaxCents: 1_65, tipCents: 15_00 };
  expect(pageOf({ payments: [documentPayment(added)] }).payments).toMatchObject([
    { detail: '$20.00 additional services and $15.00 tip', amount: '$144.90' },
  ]);
});

test.each([
  ['all of it', { city: 'Springfield', state: 'IL', zipCode: '62704' }, 'Springfield, IL 62704'],
  ['no state', { city: 'Oslo', state: '', zipCode: '0171' }, 'Oslo, 0171'],
  ['no zip code', { city: 'Lisbon', state: '', zipCode: '', zipKey: null }, 'Lisbon'],
])('the last line of the service address with %s', (_what, given, expected) => {
  const shown = pageOf(given)
    .serviceAddress.at(-1)
    ?.replace(/[\u2068\u2069]/g, '');
  expect(shown).toBe(expected);
});

test('leaves out what a franchise has not told us', () => {
  expect(pageOf({ franchiseAddress: null, franchisePhone: null }).franchise.contact).toEqual([]);
});
