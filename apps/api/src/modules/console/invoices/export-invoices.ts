import type { InvoiceFilters } from '@brightpane/contract/office/invoices';
import { cents } from '@brightpane/money/cents';
import type { Queryable } from '../../../db/client.ts';
import type { Deps } from '../../../deps.ts';
import type { OfficeCaller } from '../../../http/office-caller.ts';
import { fail, ok } from '../../../http/result.ts';
import type { CsvValue } from '../lists/csv.ts';
import { exportName } from '../lists/export-name.ts';
import { openExport } from '../lists/open-export.ts';
import { recordExport } from '../lists/record-export.ts';
import { MOST_OF_A_FILE } from '../search/find-customers.ts';
import { addressOf } from './console-invoices.presenter.ts';
import { exportedInvoices } from './invoice-list.queries.ts';
import type { InvoiceLine } from './invoice-row.queries.ts';
import { readAsked } from './list-invoices.ts';

const COLUMNS = [
  'franchise',
  'zone',
  'work order',
  'customer number',
  'customer name',
  'address',
  'service',
  'completed',
  'due',
  'amount',
  'tax',
  'paid',
  'paid elsewhere',
  'balance',
  'overpaid',
  'status',
  'tips',
  'credited',
];

/** Exports the listed invoices, one row each. */
export async function exportInvoices(
  deps: Pick<Deps, 'db' | 'env' | 'clock' | 'log'>,
  {
    caller,
    filters,
    confirm,
  }: {
    caller: OfficeCaller;
    filters: InvoiceFilters;
    /** Spends the second factor that the export needs. */
    confirm: (tx: Queryable) => Promise<void>;
  },
) {
  const asked = await readAsked(deps, { caller, filters, mostCustomers: MOST_OF_A_FILE });
  if (!asked.ok) return asked;
  const { offices, customers } = asked.value;
  if (customers.isMany) return fail('many-customers');
  const name = exportName('invoices', { ...filters, offices });
  const stream = await openExport<InvoiceLine>(deps, {
    caller,
    statement: exportedInvoices(asked.value),
    columns: COLUMNS,
    present: presentLine,
    record: recordExport(caller, { action: 'export-invoices', name, offices, filters, confirm }),
  });
  return ok({ name, stream });
}

function presentLine(line: InvoiceLine): CsvValue[] {
  const money = (amount: number) => ({ cents: cents(amount) });
  return [
    line.franchiseId,
    line.timeZone,
    line.workOrderNumber,
    line.customerNumber,
    line.customerName,
    addressOf(line),
    line.service,
    line.completedDate,
    line.dueDate,
    money(line.amountCents),
    money(line.taxCents),
    money(line.paidCents),
    money(line.paidElsewhereCents),
    money(line.balanceCents),
    money(line.overpaidCents),
    line.status,
    line.tipsEnabled ? 'true' : 'false',
    money(line.creditedCents),
  ];
}
