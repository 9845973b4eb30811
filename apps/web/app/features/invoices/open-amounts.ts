import type { Invoice } from '@brightpane/contract/invoices/invoices';
import { fromDollars } from '@brightpane/contract/wire';
import type { Cents } from '@brightpane/money/cents';
import type { PayableInvoice } from '@brightpane/money/invoice-totals';
import { parseRate } from '@brightpane/money/rate';

/** What is still due on an invoice, in cents. Throws if the server sent something that isn't an amount. */
export function openAmounts(
  invoice: Pick<Invoice, 'balanceDue' | 'salesTaxAmount' | 'salesTaxRate'>,
): Pick<PayableInvoice, 'balanceCents' | 'salesTaxCents' | 'taxRatePpm'> {
  const taxRatePpm = parseRate(String(invoice.salesTaxRate));
  if (taxRatePpm === null) throw new Error(`not a tax rate: ${invoice.salesTaxRate}`);
  return {
    balanceCents: centsOf(invoice.balanceDue),
    salesTaxCents: centsOf(invoice.salesTaxAmount),
    taxRatePpm,
  };
}

/** The server's dollars as cents. */
export function centsOf(dollars: number): Cents {
  const amount = fromDollars(dollars);
  if (amount === null) throw new Error(`not an amount: ${dollars}`);
  return amount;
}
