import type { OfficeCustomer } from '@brightpane/contract/office/customers';
import { CUSTOMER_PAGE_ROWS } from '@brightpane/contract/office/most-shown';
import { Link } from 'react-router';

const MOST_SEARCHED = 90;

/** Below rows that may not be all: a link to the whole list, searched by the customer's name. */
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
  // Quoted, so that no word of the name is read as a day, an amount or a card.
  const search = `"${name.replaceAll('"', ' ').slice(0, MOST_SEARCHED).trim()}"`;
  const query = new URLSearchParams({ franchiseId: String(franchiseId), search });
  return (
    <p>
      The first {CUSTOMER_PAGE_ROWS} are shown.{' '}
      <Link to={`/${list}?${query}`}>
        All {list} of the name {name}
      </Link>
    </p>
  );
}
