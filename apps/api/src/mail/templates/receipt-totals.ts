import { cents } from '@brightpane/money/cents';
import type { InvoiceTotals } from '@brightpane/money/invoice-totals';

/** What a payment paid on an invoice, as it is stored. */
export type PaidCents = {
  /** Of the invoice itself, less its tax. */
  invoiceCents: number;
  taxCents: number;
  servicesCents: number;
  servicesTaxCents: number;
  tipCents: number;
};

/** The same, as a receipt adds it up. */
export function receiptTotals(line: PaidCents): InvoiceTotals {
  const invoiceCents = cents(line.invoiceCents);
  const servicesCents = cents(line.servicesCents);
  const servicesTaxCents = cents(line.servicesTaxCents);
  const tipCents = cents(line.tipCents);
  const subtotalCents = cents(invoiceCents + servicesCents);
  const taxCents = cents(line.taxCents + servicesTaxCents);
  const totalBeforeTipCents = cents(subtotalCents + taxCents);
  return {
    invoiceCents,
    servicesCents,
    subtotalCents,
    servicesTaxCents,
    taxCents,
    tipCents,
    totalBeforeTipCents,
    totalCents: cents(totalBeforeTipCents + tipCents),
  };
}
