import { expect, test } from 'vitest';
import { describeAdditions } from './payment-additions.tsx';

test.each([
  [0, 0, ''],
  [10, 0, '$10.00 additional services'],
  [-10.5, 0, '-$10.50 additional services'],
  [0, 5.05, '$5.05 tip'],
  [1234.5, 5, '$1,234.50 additional services and $5.00 tip'],
])('services of %d and a tip of %d read "%s"', (additionalServiceAmount, tipAmount, text) => {
  expect(describeAdditions({ additionalServiceAmount, tipAmount })).toBe(text);
});
