import { Fragment } from 'react';
import { OfficeLink } from '../../ui/facts/office-link.tsx';

/** Work order numbers, each a link to its page. */
export function WorkOrders({
  workOrders,
}: {
  workOrders: { franchiseId: number; workOrderNumber: number }[];
}) {
  if (workOrders.length === 0) return null;
  return workOrders.map(({ franchiseId, workOrderNumber }, index) => (
    <Fragment key={`${franchiseId}/${workOrderNumber}`}>
      {index > 0 && ', '}
      <OfficeLink to={`/invoices/${franchiseId}/${workOrderNumber}`}>{workOrderNumber}</OfficeLink>
    </Fragment>
  ));
}
