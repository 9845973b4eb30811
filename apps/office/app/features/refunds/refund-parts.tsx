import type { Refund } from '@brightpane/contract/office/refunds';
import { Link } from 'react-router';
import { Dollars } from '../../ui/fields/dollars.tsx';
import type { ListColumn } from '../../ui/list/list-column.ts';
import { ListRows } from '../../ui/list/list-rows.tsx';

type Line = Refund['lines'][number];

const EFFECTS = { 'due-again': 'Due again', credited: 'Credited' };

const amount = (head: string, of: (line: Line) => number): ListColumn<Line> => ({
  head,
  isAmount: true,
  cell: (line) => <Dollars amount={of(line)} />,
});

const columns = (isMade: boolean): ListColumn<Line>[] => [
  {
    head: 'Work order',
    isName: true,
    cell: ({ franchiseId, workOrderNumber }) => (
      <Link to={`/invoices/${franchiseId}/${workOrderNumber}`}>{workOrderNumber}</Link>
    ),
  },
  amount('Invoice', ({ invoice }) => invoice),
  amount('Tax', ({ tax }) => tax),
  amount('Services', ({ services }) => services),
  amount('Services tax', ({ servicesTax }) => servicesTax),
  amount('Tip', ({ tip }) => tip),
  { head: 'Afterwards', cell: ({ effect }) => effect && EFFECTS[effect] },
  amount(isMade ? 'Fell due again' : 'Falls due again', ({ dueAgain }) => dueAgain),
];

/** **What goes back**: one row per work order. */
export function RefundParts({ lines, isMade }: { lines: Line[]; isMade: boolean }) {
  const title = isMade ? 'What went back' : 'What goes back';
  return (
    <section className="card panel" aria-labelledby="parts">
      <h2 id="parts">{title}</h2>
      <ListRows
        caption={title}
        columns={columns(isMade)}
        rows={lines}
        rowKey={({ franchiseId, workOrderNumber }) => `${franchiseId}/${workOrderNumber}`}
      />
    </section>
  );
}
