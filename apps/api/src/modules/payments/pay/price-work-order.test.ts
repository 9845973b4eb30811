import { cents } from '@brightpane/money/cents';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { priceWorkOrder } from './price-work-order.ts';

const invoice = {
  workOrderNumber: 7,
  balanceCents: 108_25,
  taxCents: 8_25,
  paidTaxCents: 0,
  taxRatePpm: 82_500,
  tipsEnabled: true,
  maxCreditPercent: 100,
};
const nothing = { servicesCents: cents(0), tipCents: cents(0) };

describe('the price of a work order', () => {
  test.each([
    ['the balance', {}, {}, 108_25],
    ['with a tip', {}, { tipCents: 20_00 }, 128_25],
    ['with services and their tax', {}, { servicesCents: 10_00 }, 119_08],
    ['with a credit and the tax it takes back', {}, { servicesCents: -10_00 }, 97_42],
    ['with a credit whose tax is more than there is', { taxCents: 50 }, { servicesCents: -10_00 }, 97_75],
    ['part paid, with its tax paid already', { balanceCents: 50_00, paidTaxCents: 8_25 }, {}, 50_00],
  ])('is %s', (_, given, added, total) => {
    const priced = priceWorkOrder(
      { ...invoice, ...given },
      { ...nothing, ...(added as { servicesCents?: ReturnType<typeof cents> }) },
    );
    expect(priced).toMatchObject({ ok: true, value: { totals: { totalCents: total } } });
  });

  test.each([
    ['already-paid', { balanceCents: 0 }, nothing],
    ['tips-not-enabled', { tipsEnabled: false }, { ...nothing, tipCents: cents(1) }],
    ['total-not-positive', {}, { ...nothing, servicesCents: cents(-108_25) }],
    ['total-not-positive', {}, { servicesCents: cents(-108_25), tipCents: cents(50_00) }],
    ['credit-too-large', { maxCreditPercent: 10 }, { ...nothing, servicesCents: cents(-10_83) }],
    ['credit-too-large', { maxCreditPercent: 0 }, { ...nothing, servicesCents: cents(-1) }],
  ])('is refused as %s', (code, given, added) => {
    expect(priceWorkOrder({ ...invoice, ...given }, added)).toMatchObject({
      ok: false,
      code,
      workOrderNumber: 7,
    });
  });

  test('accepts a credit up to the limit', () => {
    const added = { ...nothing, servicesCents: cents(-10_82) };
    expect(priceWorkOrder({ ...invoice, maxCreditPercent: 10 }, added).ok).toBe(true);
  });

  test('parts always sum to the total, and tax is never below zero', () => {
    const amount = fc.integer({ min: 1, max: 5_000_000 });
    fc.assert(
      fc.property(
        amount,
        fc.integer({ min: 0, max: 5_000_000 }),
        fc.integer({ min: 0, max: 1_000_000 }),
        fc.integer({ min: -5_000_000, max: 5_000_000 }),
        fc.integer({ min: 0, max: 5_000_000 }),
        (balanceCents, taxCents, taxRatePpm, services, tip) => {
          const priced = priceWorkOrder(
            { ...invoice, balanceCents, taxCents, taxRatePpm },
            { servicesCents: cents(services), tipCents: cents(tip) },
          );
          if (!priced.ok) return;
          const { value } = priced;
          const { invoiceCents, servicesCents, servicesTaxCents, tipCents, totals } = value;
          expect(invoiceCents + value.taxCents).toBe(balanceCents);
          expect(value.taxCents + servicesTaxCents).toBeGreaterThanOrEqual(0);
          const sum = invoiceCents + value.taxCents + servicesCents + servicesTaxCents + tipCents;
          expect(sum).toBe(totals.totalCents);
          // An independent reference: exact integers, rounded half away from zero.
          const exact = BigInt(services) * BigInt(taxRatePpm) * 2n;
          const half = exact < 0n ? -1_000_000n : 1_000_000n;
          const rounded = Number((exact + half) / 2_000_000n);
          // Subtracted, not negated: `toBe` tells -0 from 0.
          expect(servicesTaxCents).toBe(Math.max(rounded, 0 - value.taxCents));
        },
      ),
    );
  });
});
