import fc from 'fast-check';
import { expect, test } from 'vitest';
import { cents, formatDollars, formatUsd, parseDollars } from './cents.ts';

test.each([
  ['0', 0],
  ['12', 12_00],
  ['12.3', 12_30],
  ['12.34', 12_34],
  ['-12.34', -12_34],
  [' 7.05 ', 7_05],
  ['0.01', 1],
  ['-0', 0],
])('reads %j as %i cents', (text, expected) => {
  expect(parseDollars(text)).toBe(expected);
});

test.each(['', '.5', '12.', '12.345', '1e3', 'NaN', 'Infinity', '1,234.00', '$5', '--5', '+5', '12 34'])(
  '%j is not an amount',
  (text) => {
    expect(parseDollars(text)).toBeNull();
  },
);

test('every amount survives being written and read', () => {
  fc.assert(
    fc.property(fc.integer({ min: -1e11, max: 1e11 }), (amount) => {
      expect(parseDollars(formatDollars(cents(amount)))).toBe(cents(amount));
    }),
  );
});

test.each([
  [0, '$0.00'],
  [5, '$0.05'],
  [123_450, '$1,234.50'],
  [-500, '-$5.00'],
  [123_456_789_01, '$123,456,789.01'],
])('%i cents are shown as %s', (amount, shown) => {
  expect(formatUsd(cents(amount))).toBe(shown);
});

test.each([0.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53])('%d is never cents', (value) => {
  expect(() => cents(value)).toThrow(RangeError);
});
