import type { CustomerStatement, StatementRow } from '@brightpane/contract/office/customers';
import { centsToDollars } from '@brightpane/contract/wire';
import type { Deps } from '../../../../deps.ts';
import { fail, ok } from '../../../../http/result.ts';
import { type CustomerNumbers, findOfficeCustomer } from '../customer-page.queries.ts';
import { type StatementLine, selectStatement } from './statement.queries.ts';
import { statementText } from './statement-text.ts';

/** The most lines shown on a page; the file has all. */
const MOST_ON_A_PAGE = 2_000;

/** A customer's opening balance, its changes between two days and the closing balance. */
export async function readStatement(
  { db }: Pick<Deps, 'db'>,
  { actorId, from, to, ...numbers }: CustomerNumbers & { actorId: string; from: string; to: string },
) {
  const row = await findOfficeCustomer(db.query, { ...numbers, actorId });
  if (!row) return fail('customer-not-found');
  const { openingCents, closingCents, count, lines } = await selectStatement(db.query, {
    actorId,
    customerId: row.id,
    from,
    to,
    most: MOST_ON_A_PAGE,
  });
  const statement: CustomerStatement = {
    franchiseId: row.franchiseId,
    franchiseName: row.franchiseName,
    timeZone: row.timeZone,
    customerNumber: row.customerNumber,
    name: row.name,
    from,
    to,
    opening: centsToDollars(openingCents),
    closing: centsToDollars(closingCents),
    count,
    rows: withBalances(lines, openingCents),
  };
  return ok(statement);
}

function withBalances(lines: StatementLine[], openingCents: number): StatementRow[] {
  let balanceCents = openingCents;
  return lines.map(({ cents, service, ...line }) => {
    balanceCents += cents;
    return {
      ...line,
      text: statementText({ ...line, service }),
      amount: centsToDollars(cents),
      balance: centsToDollars(balanceCents),
    };
  });
}
