import fc from 'fast-check';
import { expect, test } from 'vitest';
import { cents } from './cents.ts';
import { invoiceTotals, sumTotals } from './invoice-totals.ts';
import { ratePpm } from './rate.ts';

const payable = fc
  .record({
    balance: fc.integer({ min: 0, max: 9_999_999 }),
    taxShare: fc.integer({ min: 0, max: 100 }),
    rate: fc.integer({ min: 0, max: 1_000_000 }),
    services: fc.integer({ min: -9_999_999, max: 9_999_999 }),
    tip: fc.integer({ min: 0, max: 9_999_999 }),
  })
  .map(({ balance, taxShare, rate, services, tip }) => ({
    balanceCents: cents(balance),
    salesTaxCents: cents(Math.floor((balance * taxShare) / 100)),
    taxRatePpm: ratePpm(rate),
    servicesCents: cents(services),
    tipCents: cents(tip),
  }));

test('an invoice of the specification adds up', () => {
  const totals = invoiceTotals({
    balanceCents: cents(108_25),
    salesTaxCents: cents(8_25),
    taxRatePpm: ratePpm(82_500),
    servicesCents: cents(20_00),
    tipCents: cents(15_00),
  });
  expect(totals).toEqual({
    invoiceCents: 100_00,
    servicesCents: 20_00,
    subtotalCents: 120_00,
    servicesTaxCents: 1_65,
    taxCents: 9_90,
    tipCents: 15_00,
    totalBeforeTipCents: 129_90,
    totalCents: 144_90,
  });
});

test('a credit takes back no more tax than there is', () => {
  const totals = invoiceTotals({
    balanceCents: cents(100_00),
    salesTaxCents: cents(1_00),
    taxRatePpm: ratePpm(100_000),
    servicesCents: cents(-50_00),
    tipCents: cents(0),
  });
  expect(totals.servicesTaxCents).toBe(-1_00);
  expect(totals.taxCents).toBe(0);
  expect(totals.totalCents).toBe(49_00);
});

test('totals agree with a reference that counts in integers of any size', () => {
  fc.assert(
    fc.property(payable, (invoice) => {
      const services = BigInt(invoice.servicesCents);
      const magnitude = services < 0n ? -services : services;
      const rounded = (2n * magnitude * BigInt(invoice.taxRatePpm) + 1_000_000n) / 2_000_000n;
      const servicesTax = services < 0n ? -rounded : rounded;
      const tax = BigInt(invoice.salesTaxCents) + servicesTax;
      const taxToPay = tax > 0n ? tax : 0n;
      const subtotal = BigInt(invoice.balanceCents) - BigInt(invoice.salesTaxCents) + services;
      const totals = invoiceTotals(invoice);
      expect(BigInt(totals.subtotalCents)).toBe(subtotal);
      expect(BigInt(totals.taxCents)).toBe(taxToPay);
      expect(BigInt(totals.totalCents)).toBe(subtotal + taxToPay + BigInt(invoice.tipCents));
    }),
  );
});

test('a payment is the sum of its invoices, line by line', () => {
  fc.assert(
    fc.property(fc.array(payable, { maxLength: 20 }), (invoices) => {
      const all = invoices.map(invoiceTotals);
      const sum = sumTotals(all);
      expect(sum.totalCents).toBe(all.reduce((sum, totals) => sum + totals.totalCents, 0));
      expect(sum.totalCents).toBe(sum.subtotalCents + sum.taxCents + sum.tipCents);
    }),
  );
});
