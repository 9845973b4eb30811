import { expect, test } from 'vitest';
import { wordsOf } from '../../../test/words-of.tsx';
import type { ListOrder } from './list-order.ts';
import { ListPaging } from './list-paging.tsx';

const pagingOf = (order: ListOrder, searchedTo?: string) =>
  wordsOf(<ListPaging order={order} page={{ items: [], next: 'later', searchedTo }} />, {
    search: '?cursor=here',
  });

test.each([
  ['newest-first', 'Newer Older', 'Searched back to Mar 3, 2026. Newer Search further back'],
  ['oldest-first', 'Older Newer', 'Searched up to Mar 3, 2026. Older Search further'],
  ['due-first', 'Due earlier Due later', 'Searched up to those due Mar 3, 2026. Due earlier Search further'],
  ['by-name', 'Previous Next', 'Searched up to Mar 3, 2026. Previous Search further'],
] as const)('a list that is %s names its pages so', (order, paging, cutShort) => {
  expect(pagingOf(order)).toBe(paging);
  expect(pagingOf(order, '2026-03-03')).toBe(cutShort);
});
