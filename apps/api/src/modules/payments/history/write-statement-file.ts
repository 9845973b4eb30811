import { cents } from '@brightpane/money/cents';
import type { Deps } from '../../../deps.ts';
import { franchiseDay } from '../../../franchise-day.ts';
import { type CsvValue, csvHead, csvLine } from '../../console/lists/csv.ts';
import type { StatementFile } from './history-links.ts';
import { type LineRow, selectStatement } from './payment-lines.queries.ts';

const STATEMENT_COLUMNS = [
  'date',
  'workOrder',
  'franchise',
  'address',
  'service',
  'paidBy',
  'method',
  'reference',
  'invoiceAmount',
  'salesTax',
  'services',
  'servicesTax',
  'tip',
  'total',
  'refunded',
];

/** Writes a statement's lines as CSV; every column of amounts adds up. */
export async function writeStatementFile(deps: Pick<Deps, 'db'>, file: StatementFile): Promise<string> {
  const { rows } = await selectStatement(deps.db.query, file, { mostRows: null });
  return csvHead(STATEMENT_COLUMNS) + rows.map((row) => csvLine(presentRow(row))).join('');
}

const money = (amount: number) => ({ cents: cents(amount) });
const METHODS = { guest: 'guest', portal: 'card' } as const;

function presentRow(row: LineRow): CsvValue[] {
  return [
    franchiseDay(row.at, row.timeZone),
    row.workOrderNumber,
    row.franchiseName,
    [row.addressLine1, row.city, row.state].filter(Boolean).join(', '),
    row.service,
    row.by,
    row.kind === null ? 'office' : METHODS[row.kind],
    row.reference,
    money(row.invoiceCents),
    money(row.taxCents),
    money(row.servicesCents),
    money(row.servicesTaxCents),
    money(row.tipCents),
    money(row.totalCents),
    money(row.refundedCents),
  ];
}
