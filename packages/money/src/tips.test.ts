import fc from 'fast-check';
import { expect, test } from 'vitest';
import { cents } from './cents.ts';
import {
  invoiceTipBase,
  isTipAboveJob,
  isTipPresetActive,
  TIP_PRESETS,
  tableTipBase,
  tipFor,
  tipPercent,
} from './tips.ts';

test('the presets are 15 % and 20 %', () => {
  expect(TIP_PRESETS).toEqual([15, 20]);
});

test("an invoice's own buttons leave the tax out, the table's buttons leave it in", () => {
  const totals = { balanceCents: cents(108_25), subtotalCents: cents(100_00) };
  expect(tipFor(invoiceTipBase(totals), 15)).toBe(15_00);
  expect(tipFor(tableTipBase(totals), 15)).toBe(16_24);
});

test.each([
  [100_00, 15, 15_00],
  [0, 15, 0],
  [-50_00, 20, 0],
  [3, 15, 0],
  [10, 15, 2],
])('a base of %i cents at %i percent makes a tip of %i', (base, percent, expected) => {
  expect(tipFor(cents(base), percent)).toBe(expected);
});

test.each([
  [15_00, true],
  [15_01, true],
  [14_99, true],
  [15_02, false],
  [0, false],
])('with a base of $100 a tip of %i cents shows 15 %% as chosen: %s', (tip, active) => {
  expect(isTipPresetActive(cents(tip), cents(100_00), 15)).toBe(active);
});

test('what a preset sets, it shows as chosen', () => {
  fc.assert(
    fc.property(fc.integer({ min: 10, max: 1e9 }), fc.constantFrom(...TIP_PRESETS), (base, preset) => {
      expect(isTipPresetActive(tipFor(cents(base), preset), cents(base), preset)).toBe(true);
    }),
  );
});

test.each([
  [12_34, 100_00, 12],
  [12_50, 100_00, 13],
  [0, 100_00, 0],
  [5_00, 0, null],
])('a tip of %i on %i cents is %s percent', (tip, base, percent) => {
  expect(tipPercent(cents(tip), cents(base))).toBe(percent);
});

test('a tip above the cost of the job is noticed, one that equals it is not', () => {
  expect(isTipAboveJob(cents(100_01), { subtotalCents: cents(100_00) })).toBe(true);
  expect(isTipAboveJob(cents(100_00), { subtotalCents: cents(100_00) })).toBe(false);
});
