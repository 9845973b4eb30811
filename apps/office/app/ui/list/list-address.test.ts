import { expect, test } from 'vitest';
import { filterSearch } from './filters/list-filters.tsx';
import { withSearch } from './filters/read-as-chips.tsx';
import { listQuery } from './load-list.ts';

test('only a list’s own filters go from the address into its call', () => {
  const address =
    'https://office.example.com/office/payments?state=paid&search=%20&franchiseId=11&evil=1&cursor=abc';
  expect(listQuery(address, ['search', 'state', 'cursor'])).toEqual({
    franchiseId: '11',
    state: 'paid',
    cursor: 'abc',
  });
});

test('a filter restarts the list, keeps the franchise and leaves out empty values', () => {
  const form = new FormData();
  form.set('search', ' 2224 about $120 ');
  form.set('state', '');
  const search = filterSearch(form, new URLSearchParams('franchiseId=11&state=paid&cursor=abc'));
  expect(Object.fromEntries(search)).toEqual({ franchiseId: '11', search: '2224 about $120' });
});

test('a chip that is taken away leaves the rest of the search', () => {
  const search = new URLSearchParams('search=2224 about $120&cursor=abc');
  expect(withSearch(search, 'search', '2224').toString()).toBe('search=2224');
  expect(withSearch(search, 'search', '').toString()).toBe('');
});
