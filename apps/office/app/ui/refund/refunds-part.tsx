import type { Refund } from '@brightpane/contract/office/refunds';
import { ListRows } from '../list/list-rows.tsx';
import { OWN_REFUND_COLUMNS, refundKey, refundLink } from './refund-columns.tsx';
import { REFUNDS_ID } from './refund-dialog.tsx';

/** **Refunds** of the page's subject, each a link to its page. */
export function RefundsPart({ refunds }: { refunds: Refund[] }) {
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
          columns={OWN_REFUND_COLUMNS}
          rows={refunds}
          rowKey={refundKey}
          rowLink={refundLink}
        />
      )}
    </section>
  );
}
