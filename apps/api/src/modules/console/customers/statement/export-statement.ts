import { cents } from '@brightpane/money/cents';
import { recordAct } from '../../../../db/audit.queries.ts';
import type { Deps } from '../../../../deps.ts';
import type { OfficeCaller } from '../../../../http/office-caller.ts';
import { fail, ok } from '../../../../http/result.ts';
import type { CsvValue } from '../../lists/csv.ts';
import { openExport } from '../../lists/open-export.ts';
import { type CustomerNumbers, findOfficeCustomer } from '../customer-page.queries.ts';
import { type ExportedStatementLine, exportedStatement } from './statement.queries.ts';
import { statementText } from './statement-text.ts';

const COLUMNS = ['day', 'zone', 'kind', 'workOrder', 'text', 'amount'];

/** Exports a statement's lines. The first line is the opening balance, so that the amounts sum to what is owed. */
export async function exportStatement(
  deps: Pick<Deps, 'db' | 'env' | 'clock' | 'log'>,
  { caller, from, to, ...numbers }: CustomerNumbers & { caller: OfficeCaller; from: string; to: string },
) {
  const customer = await findOfficeCustomer(deps.db.query, { ...numbers, actorId: caller.id });
  if (!customer) return fail('customer-not-found');
  const { franchiseId, customerNumber, timeZone } = customer;
  const zone = timeZone.replaceAll('/', '-');
  const name = `statement-${franchiseId}-${customerNumber}-${from}-to-${to}-${zone}.csv`;
  const stream = await openExport<ExportedStatementLine>(deps, {
    caller,
    statement: exportedStatement({ actorId: caller.id, customerId: customer.id, from, to }),
    columns: COLUMNS,
    present: (line) => presentLine(line, timeZone),
    record: (tx, { rows }) =>
      recordAct(tx, caller, {
        action: 'export-statement',
        subject: name,
        franchiseId,
        detail: { rows, filters: { ...numbers, from, to } },
      }),
  });
  return ok({ name, stream });
}

function presentLine({ cents: amount, ...line }: ExportedStatementLine, timeZone: string): CsvValue[] {
  return [line.day, timeZone, line.kind, line.workOrderNumber, statementText(line), { cents: cents(amount) }];
}
