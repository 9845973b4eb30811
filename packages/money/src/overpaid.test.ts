import { expect, test } from 'vitest';
import { cents } from './cents.ts';
import { overpaidCents } from './overpaid.ts';

const paid = {
  amountCents: cents(108_25),
  paidCents: cents(108_25),
  paidElsewhereCents: cents(0),
  creditsLeftCents: cents(0),
};

test.each([
  ['what is paid once is not overpaid', {}, 0],
  ['a check that comes too is too much', { paidElsewhereCents: cents(108_25) }, 108_25],
  ['a lowered amount is too much', { amountCents: cents(100_00) }, 8_25],
  ['an open balance is not overpaid', { paidCents: cents(50_00) }, 0],
  [
    "an office that copies a payer's credit has not received too much",
    { amountCents: cents(97_42), creditsLeftCents: cents(10_83) },
    0,
  ],
  [
    "what it lowers beyond a payer's credit is too much",
    { amountCents: cents(90_00), creditsLeftCents: cents(10_83) },
    7_42,
  ],
])('%s', (_says, change, expected) => {
  expect(overpaidCents({ ...paid, ...change })).toBe(expected);
});
