import { cents } from '@brightpane/money/cents';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { calendarDate, fromDollars, toDollars, typedDollars } from './wire.ts';

test('every amount survives the wire as a JSON number', () => {
  fc.assert(
    fc.property(fc.integer({ min: -9_999_999_999, max: 9_999_999_999 }), (amount) => {
      const wire = JSON.stringify(toDollars(cents(amount)));
      expect(wire).toMatch(/^-?\d+(\.\d{1,2})?$/);
      expect(fromDollars(JSON.parse(wire))).toBe(cents(amount));
    }),
  );
});

test.each([Number.NaN, Number.POSITIVE_INFINITY, 1e21, 0.001, 12.345, '12,50', ''])(
  '%j is not an amount of dollars',
  (value) => {
    expect(fromDollars(value)).toBeNull();
  },
);

test.each([
  ['1,234.50', 1_234_50],
  [' $1,234,567 ', 1_234_567_00],
  ['1234.5', 1_234_50],
  ['12', 12_00],
])('%j, as a person types it, is %i cents', (text, amount) => {
  expect(typedDollars(text)).toBe(amount);
});

test.each(['1,50', '12,34.50', '1234,567', '1,234.505', ',123', '$', 'lots', ''])(
  'what a person means by %j is not guessed',
  (text) => {
    expect(typedDollars(text)).toBeNull();
  },
);

test('a wire date is read as written, whatever its zone', () => {
  expect(calendarDate('2026-11-30T23:59:59-06:00')).toBe('2026-11-30');
});
