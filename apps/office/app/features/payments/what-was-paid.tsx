import type { PaymentLine, PaymentShare } from '@brightpane/contract/office/payments';
import { useRight } from '../../lib/me/use-me.ts';
import { useWorkOrderNames, type WorkOrderNames } from '../../lib/me/work-order-names.ts';
import { OfficeLink } from '../../ui/facts/office-link.tsx';
import { RowTime } from '../../ui/facts/row-time.tsx';
import type { ListColumn } from '../../ui/list/list-column.ts';
import { ListRows } from '../../ui/list/list-rows.tsx';
import { amountColumn, partColumns } from '../../ui/payment/part-columns.tsx';
import { LookAtCredit } from './look-at-credit.tsx';

type PaidLine = { share: PaymentShare; line: PaymentLine };

const columns = (nameOf: WorkOrderNames): ListColumn<PaidLine>[] => [
  {
    head: 'Work order',
    isName: true,
    cell: ({ share: { franchiseId }, line: { workOrderNumber } }) => (
      <OfficeLink to={`/invoices/${franchiseId}/${workOrderNumber}`}>
        {nameOf({ franchiseId, workOrderNumber })}
      </OfficeLink>
    ),
  },
  {
    head: 'Customer',
    isWide: true,
    cell: ({ share, line }) => (
      <OfficeLink to={`/customers/${share.franchiseId}/${line.customerNumber}`}>
        {line.customerName}
      </OfficeLink>
    ),
  },
  ...partColumns<PaidLine>(({ line }) => line),
  amountColumn('Total', ({ line }) => line.total),
  amountColumn('Refunded', ({ line }) => -line.refunded),
];

/** **What was paid**: one row per work order. */
export function WhatWasPaid({ shares }: { shares: PaymentShare[] }) {
  const nameOf = useWorkOrderNames(shares);
  return (
    <section className="card panel" aria-labelledby="paid">
      <h2 id="paid">What was paid</h2>
      <ListRows
        caption="What was paid"
        columns={columns(nameOf)}
        rows={shares.flatMap((share) => share.lines.map((line) => ({ share, line })))}
        rowKey={({ share, line }) => `${share.franchiseId}/${line.workOrderNumber}`}
        rowDetails={({ share, line }) => (
          <>
            <p className="quiet">
              {line.service}, {line.address}
            </p>
            {line.note !== null && <p>Additional services: {line.note}</p>}
            {line.services < 0 && share.acceptedAt !== null && (
              <Credit
                share={share}
                line={line}
                workOrder={nameOf({
                  franchiseId: share.franchiseId,
                  workOrderNumber: line.workOrderNumber,
                })}
              />
            )}
          </>
        )}
      />
    </section>
  );
}

/** A credit that the payer took, until somebody marks it as seen. */
function Credit({ share, line, workOrder }: PaidLine & { workOrder: string }) {
  const mayMark = useRight('refund');
  if (line.creditLookedAt !== null) {
    return (
      <>
        <p className="quiet">
          The credit was looked at{' '}
          <RowTime at={line.creditLookedAt} franchiseId={share.franchiseId} zone={share.timeZone} />.
        </p>
        {line.creditLookedNote && <p className="note-text">{line.creditLookedNote}</p>}
      </>
    );
  }
  return mayMark ? (
    <LookAtCredit share={share} line={line} workOrder={workOrder} />
  ) : (
    <p className="quiet">Nobody has looked at the credit yet.</p>
  );
}
