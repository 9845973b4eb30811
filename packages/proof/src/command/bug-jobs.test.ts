import { expect, test } from 'vitest';
import { isOfCode } from './bug-jobs.ts';

test('a bug whose edit names something that is gone does not count as noticed', () => {
  expect(isOfCode(['payer 1 met ReferenceError: gone is not defined\n    at charge'])).toBe(true);
  expect(isOfCode(['payer 1 met error: payment 7 is abandoned for good', 'I12: charge 7'])).toBe(false);
});
