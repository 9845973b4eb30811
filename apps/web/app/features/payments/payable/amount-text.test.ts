import { cents } from '@brightpane/money/cents';
import { describe, expect, test } from 'vitest';
import { amountText, readAmountText } from './amount-text.ts';

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
    ['12,50', 0],
    ['NaN', 0],
  ])('%j is %d cents', (text, amountCents) => {
    expect(readAmountText(text)).toEqual({ ok: true, amountCents });
  });

  test.each([
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

describe('an amount in a field', () => {
  test.each([
    [0, ''],
    [1250, '12.50'],
    [-725, '-7.25'],
  ])('of %d cents reads %j', (amount, text) => {
    expect(amountText(cents(amount))).toBe(text);
  });
});
