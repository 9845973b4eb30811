import { cents } from '@brightpane/money/cents';
import { type InvoiceTotals, totalsOf } from '@brightpane/money/invoice-totals';
import type { Parts } from '@brightpane/money/parts';

/** The stored amounts as a receipt sums them. */
export function receiptTotals(line: Parts): InvoiceTotals {
  return totalsOf({
    invoiceCents: cents(line.invoiceCents),
    salesTaxCents: cents(line.taxCents),
    servicesCents: cents(line.servicesCents),
    servicesTaxCents: cents(line.servicesTaxCents),
    tipCents: cents(line.tipCents),
  });
}
