import type { RefundList } from '@brightpane/contract/office/refunds';
import { useId } from 'react';
import { useFranchiseColumn } from '../../ui/facts/franchise-column.ts';
import { OfficeLink } from '../../ui/facts/office-link.tsx';
import { ListRows } from '../../ui/list/list-rows.tsx';
import { REFUND_COLUMNS, refundFranchises, refundKey, refundLink } from '../../ui/refund/refund-columns.tsx';

/** **Held refunds**: only a person can finish them; each is decided on its own page. */
export function HeldRefundsPart({ held: { items, next } }: { held: RefundList }) {
  const id = useId();
  const columns = useFranchiseColumn(REFUND_COLUMNS, refundFranchises, { listsAll: true });
  return (
    <section className="screen-part" aria-labelledby={id}>
      <h2 id={id}>Held refunds</h2>
      {items.length === 0 ? (
        <p className="quiet">No refund waits for a decision.</p>
      ) : (
        <ListRows
          caption="Held refunds"
          columns={columns}
          rows={items}
          rowKey={refundKey}
          rowLink={refundLink}
        />
      )}
      {next !== null && (
        <p>
          The oldest {items.length} are listed.{' '}
          <OfficeLink to="/refunds?state=held">See all held refunds</OfficeLink>
        </p>
      )}
    </section>
  );
}
