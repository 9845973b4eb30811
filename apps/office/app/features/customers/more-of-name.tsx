import type { OfficeCustomer } from '@brightpane/contract/office/customers';
import { CUSTOMER_PAGE_ROWS } from '@brightpane/contract/office/most-shown';
import { OfficeLink } from '../../ui/facts/office-link.tsx';
import { nameSearch } from './name-search.ts';

/** Below rows that may not be all: a link to the whole list, searched by what can be searched of the customer's name. */
export function MoreOfName({
  customer: { franchiseId, name },
  shown,
  list,
}: {
  customer: OfficeCustomer;
  shown: readonly unknown[];
  list: 'invoices' | 'payments';
}) {
  if (shown.length < CUSTOMER_PAGE_ROWS) return null;
  const search = nameSearch(name);
  return (
    <p>
      The first {CUSTOMER_PAGE_ROWS} are shown.{' '}
      {search !== null && (
        <OfficeLink to={`/${list}?${new URLSearchParams({ franchiseId: String(franchiseId), search })}`}>
          All {list} of the name {name}
        </OfficeLink>
      )}
    </p>
  );
}
