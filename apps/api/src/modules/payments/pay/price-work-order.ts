import { MAX_AMOUNT } from '@brightpane/contract/wire';
import { type Cents, cents } from '@brightpane/money/cents';
import { type InvoiceTotals, invoiceTotals } from '@brightpane/money/invoice-totals';
import { ratePpm } from '@brightpane/money/rate';
import { fail, ok } from '../../../http/result.ts';
import { openSalesTax } from '../../invoices/invoices.presenter.ts';

/** What a payer adds to one work order. */
export type Additions = { servicesCents: Cents; servicesNote?: string | undefined; tipCents: Cents };

/** The parts of what the card is charged for one invoice; they sum to the total. */
export type PricedLine = {
  invoiceCents: Cents;
  taxCents: Cents;
  servicesCents: Cents;
  servicesTaxCents: Cents;
  tipCents: Cents;
  servicesNote: string | null;
  totals: InvoiceTotals;
};

type PricedInvoice = {
  workOrderNumber: number;
  balanceCents: number;
  taxCents: number;
  paidTaxCents: number;
  taxRatePpm: number;
  tipsEnabled: boolean;
  maxCreditPercent: number;
};

/** Prices an invoice, unless its version differs from the one that the payer saw. */
export function priceSeenWorkOrder(
  invoice: PricedInvoice & { version: number },
  line: Additions & { version?: number | undefined },
) {
  const { workOrderNumber } = invoice;
  const balanceCents = cents(invoice.balanceCents);
  if (balanceCents > 0 && line.version !== undefined && line.version !== invoice.version) {
    return fail('invoice-changed', { workOrderNumber, balanceCents });
  }
  return priceWorkOrder(invoice, line);
}

export const isTooLarge = (totalCents: Cents) => totalCents > MAX_AMOUNT;

/** What paying an invoice costs, or why it can't be paid this way. A payment always covers the whole balance. */
export function priceWorkOrder(invoice: PricedInvoice, additions: Additions) {
  const { workOrderNumber } = invoice;
  if (invoice.balanceCents === 0) return fail('already-paid', { workOrderNumber });
  const { tipCents, servicesCents } = additions;
  if (tipCents > 0 && !invoice.tipsEnabled) return fail('tips-not-enabled', { workOrderNumber });

  const salesTaxCents = openSalesTax(invoice);
  const totals = invoiceTotals({
    balanceCents: cents(invoice.balanceCents),
    salesTaxCents,
    taxRatePpm: ratePpm(invoice.taxRatePpm),
    servicesCents,
    tipCents,
  });
  if (totals.totalBeforeTipCents <= 0) return fail('total-not-positive', { workOrderNumber });
  if (-servicesCents * 100 > invoice.maxCreditPercent * invoice.balanceCents) {
    return fail('credit-too-large', { workOrderNumber, maxCreditPercent: invoice.maxCreditPercent });
  }
  return ok<PricedLine>({
    invoiceCents: totals.invoiceCents,
    taxCents: salesTaxCents,
    servicesCents,
    servicesTaxCents: totals.servicesTaxCents,
    tipCents,
    servicesNote: servicesCents === 0 ? null : (additions.servicesNote ?? null),
    totals,
  });
}
