import type { CustomerStatement } from '@brightpane/contract/office/customers';
import { OFFICE_ENDPOINTS } from '@brightpane/contract/office-endpoints';
import { Link } from 'react-router';
import { officePath } from '../../lib/api-client.ts';
import { formatDay } from '../../lib/times.ts';
import { Dollars } from '../../ui/fields/dollars.tsx';
import { OfficeTitle } from '../../ui/frame/office-title.tsx';
import { useBackKey } from '../../ui/frame/use-back-key.ts';
import type { ListColumn } from '../../ui/list/list-column.ts';
import { ListRows } from '../../ui/list/list-rows.tsx';

type Line = {
  key: string;
  day: string;
  what: string;
  workOrderNumber: number | null;
  amount: number | null;
  balance: number;
};

const COLUMNS: ListColumn<Line>[] = [
  { head: 'Day', cell: ({ day }) => formatDay(day) },
  { head: 'Work order', cell: ({ workOrderNumber }) => workOrderNumber },
  { head: 'What', isName: true, isWide: true, cell: ({ what }) => what },
  {
    head: 'Amount',
    isAmount: true,
    cell: ({ amount }) => (amount === null ? null : <Dollars amount={amount} />),
  },
  { head: 'Balance', isAmount: true, cell: ({ balance }) => <Dollars amount={balance} /> },
];

const sum = (what: string, day: string, balance: number): Line => ({
  key: what,
  day,
  what,
  workOrderNumber: null,
  amount: null,
  balance,
});

/** A customer's statement: the balance before, each change, the balance after. It can be printed or downloaded. */
export function StatementScreen({ statement }: { statement: CustomerStatement }) {
  const { franchiseId, customerNumber, name, from, to, rows, count } = statement;
  useBackKey(`/customers/${franchiseId}/${customerNumber}`);
  const file = officePath(OFFICE_ENDPOINTS.statementFile.path, { franchiseId, customerNumber }, { from, to });
  const lines = [
    sum('Opening balance', from, statement.opening),
    ...rows.map((row, index) => ({ ...row, key: String(index), what: row.text })),
    sum('Closing balance', to, statement.closing),
  ];
  return (
    <div className="screen statement">
      <div className="screen-head">
        <OfficeTitle title={`Statement of ${name}`} />
        <div className="screen-actions">
          <Link className="btn btn-quiet" to={`/customers/${franchiseId}/${customerNumber}`}>
            Back to the customer
          </Link>
          <a className="btn btn-outline" href={file} download="">
            Download CSV
          </a>
          <button type="button" className="btn btn-primary" onClick={() => window.print()}>
            Print
          </button>
        </div>
      </div>
      <p>
        {statement.franchiseName}, franchise {franchiseId}. Customer number {customerNumber}.{' '}
        {formatDay(from)} to {formatDay(to)}.
      </p>
      {count > rows.length && (
        <p>This statement has {count.toLocaleString('en-US')} lines. Download it as CSV.</p>
      )}
      <ListRows caption="Statement" columns={COLUMNS} rows={lines} rowKey={({ key }) => key} />
      <p className="quiet">This is not a tax document.</p>
    </div>
  );
}
