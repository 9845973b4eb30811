import type { CustomerStatement } from '@brightpane/contract/office/customers';
import { OFFICE_ENDPOINTS } from '@brightpane/contract/office-endpoints';
import type { FieldErrors } from '@brightpane/ui/outcomes/action-result';
import { useState } from 'react';
import { officePath } from '../../lib/api-client.ts';
import { formatDay } from '../../lib/times.ts';
import { DownloadButton } from '../../ui/act/download-button.tsx';
import { OfficeLink } from '../../ui/facts/office-link.tsx';
import { Dollars } from '../../ui/fields/dollars.tsx';
import { OfficeTitle } from '../../ui/frame/office-title.tsx';
import { useBackKey } from '../../ui/frame/use-back-key.ts';
import type { ListColumn } from '../../ui/list/list-column.ts';
import { ListRows } from '../../ui/list/list-rows.tsx';
import { StatementDays } from './statement-days.tsx';

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

/**
 * A customer's statement: the balance before, each change, the balance after. It can be printed or downloaded. Refused
 * days have their error under them, and the statement that was open stays.
 */
export function StatementScreen({
  of: { franchiseId, customerNumber },
  days,
  statement,
  errors,
}: {
  of: { franchiseId: string; customerNumber: string };
  /** As they are in the URL. */
  days: { from: string; to: string };
  /** Null if the days were refused. */
  statement: CustomerStatement | null;
  errors: FieldErrors;
}) {
  const [shown, setShown] = useState(statement);
  if (statement !== null && statement !== shown) setShown(statement);
  const customer = `/customers/${franchiseId}/${customerNumber}`;
  useBackKey(customer);
  return (
    <div className="screen statement">
      <div className="screen-head">
        <OfficeTitle title={shown ? `Statement of ${shown.name}` : 'Statement'} />
        <div className="screen-actions">
          <OfficeLink className="btn btn-quiet" to={customer}>
            Back to the customer
          </OfficeLink>
          {shown && <StatementActs {...shown} />}
        </div>
      </div>
      <StatementDays of={{ franchiseId, customerNumber }} {...days} errors={errors} />
      {shown && <StatementLines {...shown} />}
    </div>
  );
}

function StatementActs({ franchiseId, customerNumber, from, to }: CustomerStatement) {
  return (
    <>
      <DownloadButton
        label="Download CSV"
        path={officePath(OFFICE_ENDPOINTS.statementFile.path, { franchiseId, customerNumber }, { from, to })}
      />
      <button type="button" className="btn btn-primary" onClick={() => window.print()}>
        Print
      </button>
    </>
  );
}

function StatementLines({ rows, count, from, to, ...of }: CustomerStatement) {
  const lines = [
    sum('Opening balance', from, of.opening),
    ...rows.map((row, index) => ({ ...row, key: String(index), what: row.text })),
    sum('Closing balance', to, of.closing),
  ];
  return (
    <>
      <p>
        {of.franchiseName}, franchise {of.franchiseId}. Customer number {of.customerNumber}. {formatDay(from)}{' '}
        to {formatDay(to)}.
      </p>
      {count > rows.length && (
        <p>This statement has {count.toLocaleString('en-US')} lines. Download it as CSV.</p>
      )}
      <ListRows caption="Statement" columns={COLUMNS} rows={lines} rowKey={({ key }) => key} />
      <p className="quiet">This is not a tax document.</p>
    </>
  );
}
