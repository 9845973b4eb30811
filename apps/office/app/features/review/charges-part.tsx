import type { ReviewedCharge } from '@brightpane/contract/review';
import { EmptyState } from '@brightpane/ui/outcomes/empty-state.tsx';
import { useId } from 'react';
import { franchiseNames } from '../../lib/me/franchise-names.ts';
import { useMe } from '../../lib/me/use-me.ts';
import { RowTime } from '../../ui/facts/row-time.tsx';
import { Dollars } from '../../ui/fields/dollars.tsx';
import type { ListColumn } from '../../ui/list/list-column.ts';
import { ListRows } from '../../ui/list/list-rows.tsx';
import { ChargeActions } from './charge-actions.tsx';
import { CompareNow } from './compare-now.tsx';
import { chargeStateWords } from './review-words.ts';
import { WorkOrders } from './work-orders.tsx';

const COLUMNS: ListColumn<ReviewedCharge>[] = [
  {
    head: 'Since',
    cell: ({ reviewSince, workOrders }) => (
      <RowTime at={reviewSince} franchiseId={workOrders[0]?.franchiseId ?? null} />
    ),
  },
  { head: 'State', cell: ({ state }) => chargeStateWords(state) },
  { head: 'Amount', isAmount: true, cell: ({ amount }) => <Dollars amount={amount} /> },
  {
    head: 'Work orders',
    isWide: true,
    cell: ({ workOrders }) => <WorkOrders workOrders={workOrders} saysOffice />,
  },
  { head: 'Franchise', isWide: true, cell: ({ workOrders }) => <Franchises workOrders={workOrders} /> },
  { head: 'Order id', isName: true, isWide: true, cell: ({ orderId }) => orderId },
  { head: 'Reference', cell: ({ reference }) => reference },
];

/** **Charges**: each with the decisions that a person may take. */
export function ChargesPart({ charges }: { charges: ReviewedCharge[] }) {
  const id = useId();
  if (charges.length === 0) return <EmptyState title="No charge needs a person." action={<CompareNow />} />;
  return (
    <section className="screen-part" aria-labelledby={id}>
      <h2 id={id}>Charges</h2>
      <ListRows
        caption="Charges"
        columns={COLUMNS}
        rows={charges}
        rowKey={({ chargeId }) => chargeId}
        rowDetails={(charge) => <ChargeActions charge={charge} />}
      />
    </section>
  );
}

function Franchises({ workOrders }: Pick<ReviewedCharge, 'workOrders'>) {
  const nameOf = franchiseNames(useMe().franchises);
  return [...new Set(workOrders.map(({ franchiseId }) => franchiseId))].map(nameOf).join('; ');
}
