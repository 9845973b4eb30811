import { Fragment } from 'react';
import { useWorkOrderNames } from '../../lib/me/work-order-names.ts';
import { OfficeLink } from '../../ui/facts/office-link.tsx';

/** Work orders, each a link to its page; with their office if there are several, or if nothing beside them `saysOffice`. */
export function WorkOrders({
  workOrders,
  saysOffice,
}: {
  workOrders: { franchiseId: number; workOrderNumber: number }[];
  saysOffice: boolean;
}) {
  const nameOf = useWorkOrderNames(workOrders, { always: !saysOffice });
  if (workOrders.length === 0) return null;
  return workOrders.map((workOrder, index) => (
    <Fragment key={`${workOrder.franchiseId}/${workOrder.workOrderNumber}`}>
      {index > 0 && ', '}
      <OfficeLink to={`/invoices/${workOrder.franchiseId}/${workOrder.workOrderNumber}`}>
        {nameOf(workOrder)}
      </OfficeLink>
    </Fragment>
  ));
}
