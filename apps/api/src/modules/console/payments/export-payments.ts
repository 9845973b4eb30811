import type { PaymentFilters } from '@brightpane/contract/office/payments';
import { cents } from '@brightpane/money/cents';
import { sumOfParts } from '@brightpane/money/parts';
import type { Queryable } from '../../../db/client.ts';
import type { Deps } from '../../../deps.ts';
import { zonedInstant } from '../../../franchise-day.ts';
import type { OfficeCaller } from '../../../http/office-caller.ts';
import { fail, ok } from '../../../http/result.ts';
import type { CsvValue } from '../lists/csv.ts';
import { exportName } from '../lists/export-name.ts';
import { openExport } from '../lists/open-export.ts';
import { recordExport } from '../lists/record-export.ts';
import { MOST_OF_A_FILE } from '../search/find-customers.ts';
import { askShares } from './ask-shares.ts';
import { paymentKind, paymentState } from './payment-states.ts';
import { type ExportedLine, exportedShares } from './shares.queries.ts';

export const PAYMENT_COLUMNS = [
  'time',
  'day',
  'zone',
  'franchise',
  'payment',
  'order id',
  'reference',
  'kind',
  'state',
  'customer number',
  'customer name',
  'work order',
  'brand',
  'last four',
  'invoice',
  'tax',
  'services',
  'services tax',
  'tip',
  'refunded',
  'net',
  'payer email',
  'note',
];

/** Exports the listed payments, one row per work order. */
export async function exportPayments(
  deps: Pick<Deps, 'db' | 'env' | 'clock' | 'log'>,
  {
    caller,
    asked,
    confirm,
  }: {
    caller: OfficeCaller;
    asked: PaymentFilters;
    /** Spends the second factor that the export needs. */
    confirm: (tx: Queryable) => Promise<void>;
  },
) {
  const found = await askShares(deps, { caller, asked, mostCustomers: MOST_OF_A_FILE });
  if (!found.ok) return found;
  const { filters, offices, hasManyCustomers } = found.value;
  if (hasManyCustomers) return fail('many-customers');
  const name = exportName('payments', { ...asked, offices });
  const stream = await openExport<ExportedLine>(deps, {
    caller,
    statement: exportedShares(filters),
    columns: PAYMENT_COLUMNS,
    present: presentLine,
    record: recordExport(caller, { action: 'export-payments', name, offices, filters: asked, confirm }),
  });
  return ok({ name, stream });
}

function presentLine(line: ExportedLine): CsvValue[] {
  // Like the list's totals, which leave out what was only tried.
  const money = (amount: number) => ({ cents: cents(line.outcome === 'accepted' ? amount : 0) });
  const { invoiceCents, taxCents, servicesCents, servicesTaxCents, tipCents } = line;
  const totalCents = sumOfParts(line);
  const { outcome, chargeState, shareCents, shareRefundedCents } = line;
  // Like the totals, which count what wasn't collected as gone back.
  const backCents = chargeState === 'capture_failed' ? totalCents : line.refundedCents;
  const share = { outcome, chargeState, amountCents: shareCents, refundedCents: shareRefundedCents };
  const time = zonedInstant(line.at, line.timeZone);
  return [
    time,
    time.slice(0, 'YYYY-MM-DD'.length),
    line.timeZone,
    line.franchiseId,
    line.paymentId,
    line.orderId,
    line.reference,
    paymentKind(line.kind),
    paymentState(share),
    line.customerNumber,
    line.customerName,
    line.workOrderNumber,
    line.brand,
    line.lastFour,
    money(invoiceCents),
    money(taxCents),
    money(servicesCents),
    money(servicesTaxCents),
    money(tipCents),
    money(backCents),
    money(totalCents - backCents),
    line.payerEmail,
    line.note,
  ];
}
