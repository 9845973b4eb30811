import { expect, test } from 'vitest';
import { wasRemoved } from './was-removed.ts';

test('nothing is found after a removal without a certain answer: it has worked', () => {
  expect(wasRemoved('one', { status: 404 })).toBe(false);
  expect(wasRemoved('one', { status: 0 })).toBe(false);
  expect(wasRemoved('one', { status: 429 })).toBe(false);
  expect(wasRemoved('one', { status: 404 })).toBe(true);
  expect(wasRemoved('other', { status: 404 })).toBe(false);
});
