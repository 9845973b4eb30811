import { expect, test } from 'vitest';
import { memoryStore } from '../../browser-storage.ts';
import { mayStart } from './page-starts.ts';

test('a page that has started in vain three times stays as it came once, and may then try again', () => {
  const store = memoryStore();
  const starts = Array.from({ length: 8 }, () => mayStart(store));
  expect(starts).toEqual([true, true, true, false, true, true, true, false]);
});
