import type { OfficeCustomer } from '@brightpane/contract/office/customers';
import { CUSTOMER_PAGE_ROWS } from '@brightpane/contract/office/most-shown';
import { expect, test } from 'vitest';
import { wordsOf } from '../../../test/words-of.tsx';
import { MoreOfName } from './more-of-name.tsx';

const CUSTOMER = { franchiseId: 11, name: 'May "Visa" Quill' } as OfficeCustomer;
const shown = (count: number, customer = CUSTOMER) =>
  wordsOf(<MoreOfName customer={customer} shown={Array(count).fill(null)} list="invoices" />);

test('rows that may not be all lead to the whole list', () => {
  expect(shown(CUSTOMER_PAGE_ROWS)).toContain('All invoices of the name May');
  expect(shown(CUSTOMER_PAGE_ROWS - 1)).toBe('');
});

test('a name that cannot be searched leads nowhere', () => {
  const words = shown(CUSTOMER_PAGE_ROWS, { ...CUSTOMER, name: '李' });
  expect(words).toBe(`The first ${CUSTOMER_PAGE_ROWS} are shown.`);
});
