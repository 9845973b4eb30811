import { expect, test } from 'vitest';
import { totalWords } from './payment-totals.tsx';

test.each([
  [
    { count: 37, isMore: false, in: 4210.5, back: 120, net: 4090.5, tips: 312 },
    '37 payments · $4,210.50 in · −$120.00 back · $4,090.50 net · $312.00 of it tips',
  ],
  [
    { count: 1, isMore: false, in: 10, back: 0, net: 10, tips: 0 },
    '1 payment · $10.00 in · $0.00 back · $10.00 net · $0.00 of it tips',
  ],
  [{ count: null, isMore: true, in: null, back: null, net: null, tips: null }, 'more than 10,000 payments'],
  [{ count: null, isMore: false, in: null, back: null, net: null, tips: null }, ''],
])('totals of %j read %j', (summary, words) => {
  expect(totalWords(summary)).toBe(words);
});
