import { cents } from '@brightpane/money/cents';
import { describe, expect, test } from 'vitest';
import { amountText, readAmountText } from './amount-text.ts';

describe('an amount as typed', () => {
  test.each([
    ['12.50', 1250],
    ['12.5', 1250],
    [' 12 ', 1200],
    ['-7.25', -725],
    ['.5', 50],
    ['1e2', 10000],
    ['', 0],
    ['abc', 0],
    ['12,50', 0],
    ['12.345', 0],
    ['NaN', 0],
    ['Infinity', 0],
    ['99999', 9999900],
    ['99999.01', 0],
    ['-1e12', 0],
  ])('%j is %d cents', (text, expected) => {
    expect(readAmountText(text)).toBe(expected);
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
