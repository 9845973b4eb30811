import type { Invoice } from '@brightpane/contract/invoices/invoices';
import { ZERO } from '@brightpane/money/cents';
import { type InvoiceTotals, invoiceTotals } from '@brightpane/money/invoice-totals';
import { openAmounts } from '../../invoices/open-amounts.ts';
import type { DraftLine } from './draft-line.ts';

/** An unpaid invoice for table and cards: one model, so that both show the same. */
export type Payable = {
  /** Identifies the invoice in the draft, across loads. */
  key: string;
  invoice: Invoice;
  amounts: ReturnType<typeof openAmounts>;
};

export function toPayable(invoice: Invoice): Payable {
  const { franchiseId, workOrderNumber } = invoice;
  return { key: `${franchiseId}-${workOrderNumber}`, invoice, amounts: openAmounts(invoice) };
}

export function isAtLocation({ invoice }: Payable, locationId: number): boolean {
  return invoice.workOrders.some((workOrder) => workOrder.locationId === locationId);
}

/** What an invoice comes to, with the draft's additions. */
export function payableTotals({ amounts, invoice }: Payable, line: DraftLine): InvoiceTotals {
  return invoiceTotals({
    ...amounts,
    servicesCents: line.services.amountCents,
    tipCents: invoice.tipsEnabled ? line.tipCents : ZERO,
  });
}
