import type { Refund } from '@brightpane/contract/office/refunds';
import { useWorkOrderNames, type WorkOrderNames } from '../../lib/me/work-order-names.ts';
import { OfficeLink } from '../../ui/facts/office-link.tsx';
import type { ListColumn } from '../../ui/list/list-column.ts';
import { ListRows } from '../../ui/list/list-rows.tsx';
import { amountColumn, partColumns } from '../../ui/payment/part-columns.tsx';

type Line = Refund['lines'][number];

const EFFECTS = { 'due-again': 'Due again', credited: 'Credited' };

const WORDS = {
  open: { title: 'What goes back', due: 'Falls due again' },
  made: { title: 'What went back', due: 'Fell due again' },
  undone: { title: 'What was taken back', due: 'Fell due again' },
};

const columns = (due: string, nameOf: WorkOrderNames): ListColumn<Line>[] => [
  {
    head: 'Work order',
    isName: true,
    cell: (line) => (
      <OfficeLink to={`/invoices/${line.franchiseId}/${line.workOrderNumber}`}>{nameOf(line)}</OfficeLink>
    ),
  },
  ...partColumns<Line>((line) => line),
  { head: 'Afterwards', cell: ({ effect }) => effect && EFFECTS[effect] },
  amountColumn(due, ({ dueAgain }) => dueAgain),
];

/** **What goes back**: one row per work order. */
export function RefundParts({ lines, state, undoneAt }: Pick<Refund, 'lines' | 'state' | 'undoneAt'>) {
  const { title, due } = WORDS[undoneAt !== null ? 'undone' : state === 'made' ? 'made' : 'open'];
  const nameOf = useWorkOrderNames(lines);
  return (
    <section className="card panel" aria-labelledby="parts">
      <h2 id="parts">{title}</h2>
      <ListRows
        caption={title}
        columns={columns(due, nameOf)}
        rows={lines}
        rowKey={({ franchiseId, workOrderNumber }) => `${franchiseId}/${workOrderNumber}`}
      />
    </section>
  );
}
