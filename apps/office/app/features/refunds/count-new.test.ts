import { expect, test } from 'vitest';
import { countNew } from './count-new.ts';

const page = (refundIds: string[], next: string | null = null) => ({
  items: refundIds.map((refundId) => ({ refundId })),
  next,
});

test('a new refund counts wherever it sorts', () => {
  expect(countNew(['new', 'a', 'b'], page(['a', 'b']))).toBe(1);
  expect(countNew(['a', 'new', 'b'], page(['a', 'b']))).toBe(1);
  expect(countNew(['a', 'b', 'new'], page(['a', 'b']))).toBe(1);
  expect(countNew(['new'], page([]))).toBe(1);
});

test('a refund that moves up from the next page is not new', () => {
  expect(countNew(['a', 'c'], page(['a', 'b'], 'cursor'))).toBe(0);
  expect(countNew(['a', 'new', 'b'], page(['a', 'b'], 'cursor'))).toBe(1);
  expect(countNew(['x', 'y'], page(['a', 'b'], 'cursor'))).toBe(2);
});
