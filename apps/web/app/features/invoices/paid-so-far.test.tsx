import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { PaidSoFar } from './paid-so-far.tsx';

const payment = (amount: number, additionalServiceAmount = 0, tipAmount = 0) => ({
  amount,
  additionalServiceAmount,
  tipAmount,
});

test.each([
  ['a tip', [payment(128.25, 0, 20)], '$128.25 paid so far with $20.00 tip'],
  [
    'services and tips of several payments',
    [payment(30, 10, 5), payment(20.1, 0.1, 0.2)],
    '$50.10 paid so far with $10.10 additional services and $5.20 tip',
  ],
  ['a tip that was refunded', [payment(128.25, 0, 20), payment(-20, 0, -20)], '$108.25 paid so far'],
  ['no additions', [payment(50)], '$50.00 paid so far'],
  ['nothing', [], ''],
  ['what was refunded in full', [payment(50), payment(-50)], ''],
])('an unpaid invoice says of %s what was paid so far', (_what, payments, words) => {
  const markup = renderToStaticMarkup(<PaidSoFar payments={payments} />);
  expect(
    markup
      .replace(/<[^>]+>/g, ' ')
      .replace(/\s+/g, ' ')
      .trim(),
  ).toBe(words);
});
