import type { Refund } from '@brightpane/contract/office/refunds';
import type { WorkOrderNames } from '../../lib/me/work-order-names.ts';
import { ListRows } from '../list/list-rows.tsx';
import { ownRefundColumns, refundKey, refundLink } from './refund-columns.tsx';
import { REFUNDS_ID } from './refund-dialog.tsx';

/** **Refunds** of the page's subject, each a link to its page. */
export function RefundsPart({ refunds, nameOf }: { refunds: Refund[]; nameOf: WorkOrderNames }) {
  return (
    <section className="screen-part" aria-labelledby={REFUNDS_ID}>
      <h2 id={REFUNDS_ID} tabIndex={-1}>
        Refunds
      </h2>
      {refunds.length === 0 ? (
        <p className="quiet">No refunds yet.</p>
      ) : (
        <ListRows
          caption="Refunds"
          columns={ownRefundColumns(nameOf)}
          rows={refunds}
          rowKey={refundKey}
          rowLink={refundLink}
        />
      )}
    </section>
  );
}
