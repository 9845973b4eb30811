import type { Invoice } from '@brightpane/contract/invoices/invoices';

export type InvoiceStatus = 'Pending' | 'Overdue' | 'Due';

/** The due date is the end of that day in the franchise's time zone; the invoice is overdue only after it. */
export function invoiceStatus({ dueDate }: Pick<Invoice, 'dueDate'>, now: Date = new Date()): InvoiceStatus {
  if (dueDate === null) return 'Pending';
  return new Date(dueDate) < now ? 'Overdue' : 'Due';
}
