import type { OfficeInvoice } from '@brightpane/contract/office/invoices';
import { INVOICE_PAGE_PAYMENTS } from '@brightpane/contract/office/most-shown';
import { OfficeLink } from '../../ui/facts/office-link.tsx';

/** Below an invoice's payments, if declined ones are left out: a link to all of them. */
export function MorePayments({
  invoice: { franchiseId, workOrderNumber, hasMorePayments },
}: {
  invoice: Pick<OfficeInvoice, 'franchiseId' | 'workOrderNumber' | 'hasMorePayments'>;
}) {
  if (!hasMorePayments) return null;
  const list = new URLSearchParams({ franchiseId: String(franchiseId), search: `#${workOrderNumber}` });
  return (
    <p>
      The newest {INVOICE_PAGE_PAYMENTS} are shown, and paid ones before them.{' '}
      <OfficeLink to={`/payments?${list}`}>All payments of this work order</OfficeLink>
    </p>
  );
}
