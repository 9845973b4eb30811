import { expect, test } from 'vitest';
import { describeAdditions } from './payment-additions.tsx';

test.each([
  [100, 0, 0, ''],
  [110, 10, 0, '$10.00 additional services'],
  [89.5, -10.5, 0, '-$10.50 additional services'],
  [105.05, 0, 5.05, '$5.05 tip'],
  [1339.5, 1234.5, 5, '$1,234.50 additional services and $5.00 tip'],
  [-50, 0, 0, ''],
  [-5, 0, -5, ''],
  [-55, 0, -5, '$5.00 tip'],
  [-31, -10, 0, '$10.00 additional services'],
  [-89.5, 10.5, 0, '-$10.50 additional services'],
])('of %d, services of %d and a tip of %d read "%s"', (amount, additionalServiceAmount, tipAmount, text) => {
  expect(describeAdditions({ amount, additionalServiceAmount, tipAmount })).toBe(text);
});
