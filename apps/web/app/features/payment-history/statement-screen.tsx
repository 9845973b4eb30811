import type { Statement, StatementRow } from '@brightpane/contract/invoices/payment-history';
import type { Answer } from '@brightpane/ui/forms/ask-server';
import { PageTitle } from '@brightpane/ui/page/page-title.tsx';
import { Money } from '@brightpane/ui/words/money.tsx';
import { formatWireDate } from '@brightpane/ui/words/wire-date';
import { Link } from 'react-router';
import { readData } from '../../lib/read-data.ts';
import { centsOf } from '../invoices/open-amounts.ts';
import { filterQuery, type HistoryFilter, paymentsPath } from './history-path.ts';
import { lineAddress, PAID_BY } from './payment-words.ts';
import { SignedLink } from './signed-link.tsx';

/** A year's payments line by line, to print or download. */
export function StatementScreen({
  filter,
  statement,
  place,
}: {
  filter: HistoryFilter;
  statement: Statement;
  /** The name of the location that the statement is limited to, if any. */
  place: string | null;
}) {
  const { rows, count, csvLink } = statement;
  return (
    <div className="payment-history statement">
      <div className="payment-history-head">
        <div>
          <Link className="back-link no-print" to={paymentsPath(filter)}>
            All payments
          </Link>
          <PageTitle title={`Statement ${filter.year}`} />
          {place !== null && <p className="quiet">{place}</p>}
        </div>
        <div className="button-row no-print">
          <button type="button" className="btn btn-outline" onClick={() => window.print()}>
            Print
          </button>
          <SignedLink link={csvLink} renew={() => renewFile(filter)}>
            Download CSV
          </SignedLink>
        </div>
      </div>
      {rows.length < count ? (
        <p>{`This statement has ${count.toLocaleString('en-US')} lines. Download it as CSV.`}</p>
      ) : (
        count > 0 && <Lines rows={rows} />
      )}
      <Sums statement={statement} />
      <p className="quiet">This is not a tax document.</p>
    </div>
  );
}

async function renewFile(filter: HistoryFilter): Promise<Answer<string>> {
  const answer = await readData<Statement>('statements', { query: filterQuery(filter) });
  return answer.ok ? { ok: true, data: answer.data.csvLink } : answer;
}

function Lines({ rows }: { rows: StatementRow[] }) {
  return (
    <section className="statement-lines statement-payments" aria-label="Payments, line by line">
      <table className="history">
        <thead>
          <tr>
            <th scope="col">Date</th>
            <th scope="col">Work order</th>
            <th scope="col">For</th>
            <th scope="col">Paid by</th>
            <th scope="col" className="sum">
              Amount
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={`${row.paymentId} ${row.franchiseId} ${row.workOrderNumber}`}>
              <td className="figures">{formatWireDate(row.paidAt)}</td>
              <td className="figures" data-label="Work order">
                {row.workOrderNumber}
              </td>
              <td>
                {row.service}
                <div className="quiet">
                  {[row.franchiseName, lineAddress(row)].filter(Boolean).join(', ')}
                </div>
              </td>
              <td data-label={row.by === 'office' ? undefined : 'Paid by'}>{PAID_BY[row.by]}</td>
              <td className="sum">
                <Money cents={centsOf(row.total)} />
                {row.refunded !== 0 && (
                  <div className="quiet">
                    <Money cents={centsOf(row.refunded)} /> refunded
                  </div>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

/** One sum per franchise, and one over all. */
function Sums({ statement }: { statement: Statement }) {
  const { franchises } = statement;
  return (
    <section className="statement-lines statement-sums" aria-label="Sums">
      <table className="history">
        <thead>
          <tr>
            <th scope="col">Sums</th>
            <th scope="col" className="sum">
              Paid by you
            </th>
            <th scope="col" className="sum">
              Paid by others
            </th>
            <th scope="col" className="sum">
              Refunded
            </th>
          </tr>
        </thead>
        <tbody>
          {franchises.map(({ franchiseId, franchiseName, ...sums }) => (
            <SumRow key={franchiseId} name={franchiseName} {...sums} />
          ))}
        </tbody>
        <tfoot>
          <SumRow name="All together" {...statement} />
        </tfoot>
      </table>
    </section>
  );
}

function SumRow({
  name,
  paidByYou,
  paidByOthers,
  refunded,
}: { name: string } & Pick<Statement, 'paidByYou' | 'paidByOthers' | 'refunded'>) {
  return (
    <tr>
      <th scope="row">{name}</th>
      {Object.entries({ 'Paid by you': paidByYou, 'Paid by others': paidByOthers, Refunded: refunded }).map(
        ([label, amount]) => (
          <td key={label} className="sum" data-label={label}>
            <Money cents={centsOf(amount)} />
          </td>
        ),
      )}
    </tr>
  );
}
