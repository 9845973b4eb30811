import { expect, test } from 'vitest';
import { paymentsPath, readFilter } from './history-path.ts';

const NOW = new Date(2026, 10, 15);

test.each([
  ['', { year: 2026, locationId: null }],
  ['year=2019&locationId=7', { year: 2019, locationId: '7' }],
  ['year=19', { year: 2026, locationId: null }],
  ['year=2026x&locationId=<b>', { year: 2026, locationId: null }],
])('the address %j asks for %j', (search, filter) => {
  expect(readFilter(new URLSearchParams(search), NOW)).toEqual(filter);
});

test('writes the filter back into the URL', () => {
  expect(paymentsPath({ year: 2025, locationId: '7' })).toBe('/payments?year=2025&locationId=7');
  expect(paymentsPath({ year: 2025, locationId: null }, { isStatement: true })).toBe(
    '/payments?view=statement&year=2025',
  );
});
