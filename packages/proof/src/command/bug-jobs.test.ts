import { expect, test } from 'vitest';
import { isOfCode } from './bug-jobs.ts';

test('a bug whose text goes by a name that is gone is not noticed by what it does to somebody', () => {
  expect(isOfCode(['payer 1 met ReferenceError: gone is not defined\n    at charge'])).toBe(true);
  expect(isOfCode(['payer 1 met error: payment 7 is abandoned for good', 'I12: charge 7'])).toBe(false);
});
