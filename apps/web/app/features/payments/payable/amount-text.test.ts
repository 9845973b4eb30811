import { cents } from '@brightpane/money/cents';
import { describe, expect, test } from 'vitest';
import { amountText, readAmountText, withComma } from './amount-text.ts';

describe('an amount as typed', () => {
  test.each([
    ['12.50', 1250],
    ['12.5', 1250],
    ['12.500', 1250],
    [' 12 ', 1200],
    ['-7.25', -725],
    ['.5', 50],
    ['1e2', 10000],
    ['99999', 9999900],
    ['-99999', -9999900],
    ['', 0],
    ['abc', 0],
    ['NaN', 0],
    ['12,', 1200],
    ['1,250', 125000],
    ['-12,500', -1250000],
    ['1,250.75', 125075],
  ])('%j is %d cents', (text, amountCents) => {
    expect(readAmountText(text)).toEqual({ ok: true, amountCents });
  });

  test.each([
    ['12,50', 'Please use a point for cents, like 12.50.'],
    [',5', 'Please use a point for cents, like 12.50.'],
    ['0,500', 'Please use a point for cents, like 12.50.'],
    ['12,5000', 'Please use a point for cents, like 12.50.'],
    ['1250,000', 'Please use a point for cents, like 12.50.'],
    ['1.250,00', 'Please use a point for cents, like 12.50.'],
    ['100,000', 'Please enter at most $99,999.00.'],
    ['12.345', 'Please enter dollars and cents, like 12.50.'],
    ['-0.001', 'Please enter dollars and cents, like 12.50.'],
    ['1e-9', 'Please enter dollars and cents, like 12.50.'],
    ['99999.01', 'Please enter at most $99,999.00.'],
    ['99999.001', 'Please enter at most $99,999.00.'],
    ['-1e12', 'Please enter at most $99,999.00.'],
    ['1e999', 'Please enter at most $99,999.00.'],
  ])('%j does not become 0: it is refused', (text, fault) => {
    expect(readAmountText(text)).toEqual({ ok: false, fault });
  });

  test.each([
    ['-1', 'Please enter $0.00 or more.'],
    ['-1e12', 'Please enter $0.00 or more.'],
    ['1e12', 'Please enter at most $99,999.00.'],
  ])('a tip of %j is refused', (text, fault) => {
    expect(readAmountText(text, { min: 0 })).toEqual({ ok: false, fault });
  });
});

describe('a comma that a number field left out', () => {
  test.each([
    ['125', '12', '12,5'],
    ['1250', '12', '12,50'],
    ['12', '12', '12,'],
    ['5', '', ',5'],
  ])('is put back into %j, after %j', (text, head, restored) => {
    expect(withComma(text, head)).toBe(restored);
  });

  test.each([
    ['12.5', '12'],
    ['1', '12'],
    ['75', '12'],
    ['', '12'],
  ])('is not put back into %j, after %j', (text, head) => {
    expect(withComma(text, head)).toBe(text);
  });
});

describe('an amount in a field', () => {
  test.each([
    [0, ''],
    [1250, '12.50'],
    [-725, '-7.25'],
  ])('of %d cents reads %j', (amount, text) => {
    expect(amountText(cents(amount))).toBe(text);
  });
});
