import { describe, expect, test } from 'vitest';
import { openAmounts } from './open-amounts.ts';

describe('the open amounts of an invoice', () => {
  test.each([
    [108.25, 8.25, 0.0825, { balanceCents: 10825, salesTaxCents: 825, taxRatePpm: 82500 }],
    [0.3, 0.1, 0.08875, { balanceCents: 30, salesTaxCents: 10, taxRatePpm: 88750 }],
    [1.15, 0, 0, { balanceCents: 115, salesTaxCents: 0, taxRatePpm: 0 }],
    [99999, 0, 0.000001, { balanceCents: 9999900, salesTaxCents: 0, taxRatePpm: 1 }],
  ])('%d with %d tax at %d', (balanceDue, salesTaxAmount, salesTaxRate, expected) => {
    expect(openAmounts({ balanceDue, salesTaxAmount, salesTaxRate })).toEqual(expected);
  });

  test.each([
    [{ balanceDue: 1.005 }, 'not an amount: 1.005'],
    [{ salesTaxAmount: Number.NaN }, 'not an amount: NaN'],
    [{ salesTaxRate: 8.25 }, 'not a tax rate: 8.25'],
  ])('are refused for %j', (wrong, message) => {
    const right = { balanceDue: 1, salesTaxAmount: 0, salesTaxRate: 0 };
    expect(() => openAmounts({ ...right, ...wrong })).toThrow(message);
  });
});
