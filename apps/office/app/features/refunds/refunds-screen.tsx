import type { Refund, RefundList } from '@brightpane/contract/office/refunds';
import { useFranchiseColumn } from '../../ui/facts/franchise-column.ts';
import { ListScreen } from '../../ui/list/list-screen.tsx';
import type { ListLoad } from '../../ui/list/load-list.ts';
import { REFUND_COLUMNS, refundFranchises, refundKey, refundLink } from '../../ui/refund/refund-columns.tsx';
import { REFUND_FILTERS } from './refund-filters.ts';
import { ShowNew } from './show-new.tsx';

/** **Refunds**: all requests; the filter **Needs** shows those that wait for somebody. */
export function RefundsScreen({ load }: { load: ListLoad<Refund, RefundList> }) {
  const columns = useFranchiseColumn(REFUND_COLUMNS, refundFranchises);
  return (
    <ListScreen
      title="Refunds"
      load={load}
      columns={columns}
      rowKey={refundKey}
      rowLink={refundLink}
      filters={REFUND_FILTERS}
      empty={{ text: 'No refunds yet.' }}
      above={(page) => page && <ShowNew key={load.search} search={load.search} page={page} />}
    />
  );
}
