import { MAX_STATEMENT_ROWS, type Statement } from '@brightpane/contract/invoices/payment-history';
import { toDollars } from '@brightpane/contract/wire';
import { cents } from '@brightpane/money/cents';
import type { Deps } from '../../../deps.ts';
import { fail, ok } from '../../../http/result.ts';
import { countWithin } from '../../limits/check-limits.ts';
import { cap } from '../../limits/limit.ts';
import { statementLink } from './history-links.ts';
import { isThere, toAsked } from './list-payments.ts';
import { type StatementSums, selectStatement } from './payment-lines.queries.ts';
import { presentStatementRow } from './present-payment.ts';

const STATEMENTS_AN_HOUR = cap('statements in an hour', { max: 60, windowSeconds: 3_600 });

/** A year's payments line by line, with totals per franchise and overall. */
export async function makeStatement(
  deps: Deps,
  asked: { userId: string; year: number; locationId?: number | undefined },
) {
  const admitted = await admitStatement(deps, asked);
  if (!admitted.ok) return admitted;
  if (!(await isThere(deps, asked))) return fail('location-not-found');
  const lines = toAsked(asked.userId, asked);
  const { rows, sums } = await selectStatement(deps.db.query, lines, { mostRows: MAX_STATEMENT_ROWS });
  return ok<Statement>({
    rows: rows.map((row) => presentStatementRow(deps, row)),
    count: sums.reduce((count, each) => count + each.count, 0),
    franchises: sums.map(({ franchiseId, franchiseName, ...each }) => ({
      franchiseId,
      franchiseName,
      ...presentSums([each]),
    })),
    ...presentSums(sums),
    csvLink: statementLink(deps, { ...lines, year: asked.year }),
  });
}

/** Counts a statement, page or file, against the account's limit, or refuses it. */
export function admitStatement(deps: Deps, { userId }: { userId: string }) {
  return countWithin(deps, [{ limit: STATEMENTS_AN_HOUR, of: [userId] }]);
}

type Sums = Pick<StatementSums, 'paidByYouCents' | 'paidByOthersCents' | 'refundedCents'>;

function presentSums(sums: readonly Sums[]) {
  const total = (key: keyof Sums) => toDollars(cents(sums.reduce((so, each) => so + each[key], 0)));
  return {
    paidByYou: total('paidByYouCents'),
    paidByOthers: total('paidByOthersCents'),
    refunded: total('refundedCents'),
  };
}
