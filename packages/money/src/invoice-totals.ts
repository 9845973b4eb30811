import { type Cents, cents, sumCents } from './cents.ts';
import { applyRate, type RatePpm } from './rate.ts';

/** What an invoice still owes, and what its payer adds. */
export type PayableInvoice = {
  balanceCents: Cents;
  /** The unpaid sales tax within the balance, never more than it. */
  salesTaxCents: Cents;
  taxRatePpm: RatePpm;
  /** Additional services, negative for a credit. */
  servicesCents: Cents;
  tipCents: Cents;
};

export type InvoiceTotals = {
  /** The balance without its sales tax: the invoice amount on screens. */
  invoiceCents: Cents;
  servicesCents: Cents;
  subtotalCents: Cents;
  /** Tax on the services. A credit never takes back more tax than there is. */
  servicesTaxCents: Cents;
  taxCents: Cents;
  tipCents: Cents;
  totalBeforeTipCents: Cents;
  totalCents: Cents;
};

/** The one formula for a payment's amount. Browser and server both call it, so they can't disagree by a cent. */
export function invoiceTotals(invoice: PayableInvoice): InvoiceTotals {
  const { balanceCents, salesTaxCents, taxRatePpm, servicesCents, tipCents } = invoice;
  return totalsOf({
    invoiceCents: cents(balanceCents - salesTaxCents),
    salesTaxCents,
    servicesCents,
    servicesTaxCents: cents(Math.max(applyRate(servicesCents, taxRatePpm), -salesTaxCents)),
    tipCents,
  });
}

/** What a payment pays on one invoice. */
export type PaymentParts = {
  /** Without its tax. */
  invoiceCents: Cents;
  /** The tax on the invoice itself. */
  salesTaxCents: Cents;
  servicesCents: Cents;
  servicesTaxCents: Cents;
  tipCents: Cents;
};

/** The totals of these parts, for a payment to be made or one already made. */
export function totalsOf(parts: PaymentParts): InvoiceTotals {
  const { invoiceCents, salesTaxCents, servicesCents, servicesTaxCents, tipCents } = parts;
  const subtotalCents = cents(invoiceCents + servicesCents);
  const taxCents = cents(salesTaxCents + servicesTaxCents);
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

/** The totals of a payment across its invoices. */
export function sumTotals(all: readonly InvoiceTotals[]): InvoiceTotals {
  const sumOf = (key: keyof InvoiceTotals) => sumCents(all.map((totals) => totals[key]));
  return {
    invoiceCents: sumOf('invoiceCents'),
    servicesCents: sumOf('servicesCents'),
    subtotalCents: sumOf('subtotalCents'),
    servicesTaxCents: sumOf('servicesTaxCents'),
    taxCents: sumOf('taxCents'),
    tipCents: sumOf('tipCents'),
    totalBeforeTipCents: sumOf('totalBeforeTipCents'),
    totalCents: sumOf('totalCents'),
  };
}
