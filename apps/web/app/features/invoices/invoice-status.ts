import type { Invoice } from '@brightpane/contract/invoices';

export type InvoiceStatus = 'Pending' | 'Overdue' | 'Due';

/** Spec section 4. The due date is the end of that day where the franchise is, so it is overdue only after that. */
export function invoiceStatus({ dueDate }: Pick<Invoice, 'dueDate'>, now: Date = new Date()): InvoiceStatus {
  if (dueDate === null) return 'Pending';
  return new Date(dueDate) < now ? 'Overdue' : 'Due';
}
