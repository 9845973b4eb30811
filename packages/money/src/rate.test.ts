import fc from 'fast-check';
import { expect, test } from 'vitest';
import { cents } from './cents.ts';
import { applyRate, formatRatePercent, parseRate, ratePpm } from './rate.ts';

test.each([
  ['0', 0],
  ['0.0825', 82_500],
  ['0.08875', 88_750],
  ['0.000001', 1],
  ['1', 1_000_000],
])('reads %j as %i parts per million', (text, expected) => {
  expect(parseRate(text)).toBe(expected);
});

test.each(['', '-0.1', '1.1', '0.0000001', '8.25%', '2', 'NaN'])('%j is not a rate', (text) => {
  expect(parseRate(text)).toBeNull();
});

test('a rate is shown as a percentage without needless zeros', () => {
  expect(formatRatePercent(ratePpm(88_750))).toBe('8.875%');
  expect(formatRatePercent(ratePpm(82_500))).toBe('8.25%');
});

test('applying a rate rounds once, half away from zero, credits and charges alike', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 1e9 }), fc.integer({ min: 0, max: 1e6 }), (amount, ppm) => {
      // The reference uses BigInt and shares no step with the formula.
      const doubled = 2n * BigInt(amount) * BigInt(ppm) + 1_000_000n;
      const expected = Number(doubled / 2_000_000n);
      expect(applyRate(cents(amount), ratePpm(ppm))).toBe(expected);
      expect(applyRate(cents(-amount), ratePpm(ppm))).toBe(cents(-expected));
    }),
  );
});
