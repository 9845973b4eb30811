import { cents } from '@brightpane/money/cents';
import { type InvoiceTotals, totalsOf } from '@brightpane/money/invoice-totals';

/** What a payment paid on an invoice, as stored. */
export type PaidCents = {
  /** For the invoice itself, without its tax. */
  invoiceCents: number;
  taxCents: number;
  servicesCents: number;
  servicesTaxCents: number;
  tipCents: number;
};

/** The stored amounts as a receipt sums them. */
export function receiptTotals(line: PaidCents): InvoiceTotals {
  return totalsOf({
    invoiceCents: cents(line.invoiceCents),
    salesTaxCents: cents(line.taxCents),
    servicesCents: cents(line.servicesCents),
    servicesTaxCents: cents(line.servicesTaxCents),
    tipCents: cents(line.tipCents),
  });
}
