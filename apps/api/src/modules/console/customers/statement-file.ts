import type { CustomerStatement } from '@brightpane/contract/office/customers';
import { fromDollars } from '@brightpane/contract/wire';
import { ZERO } from '@brightpane/money/cents';
import { csvHead, csvLine } from '../lists/csv.ts';

const COLUMNS = ['day', 'zone', 'kind', 'workOrder', 'text', 'amount'];

/** A statement's lines as a file. The first stands for all that was before, so that the amounts sum to what is owed. */
export function statementFile(statement: CustomerStatement): { name: string; text: string } {
  const { franchiseId, customerNumber, timeZone, from, to, opening, rows } = statement;
  const amount = (dollars: number) => ({ cents: fromDollars(dollars) ?? ZERO });
  const lines = [
    csvLine([from, timeZone, 'opening', null, 'Opening balance', amount(opening)]),
    ...rows.map((row) =>
      csvLine([row.day, timeZone, row.kind, row.workOrderNumber, row.text, amount(row.amount)]),
    ),
  ];
  return {
    name: `statement-${franchiseId}-${customerNumber}-${from}-to-${to}-${timeZone.replaceAll('/', '-')}.csv`,
    text: csvHead(COLUMNS) + lines.join(''),
  };
}
