import type { OfficeInvoiceRow } from '@brightpane/contract/office/invoices';
import { centsToDollars } from '@brightpane/contract/wire';
import type { InvoiceLine } from './invoice-row.queries.ts';

export function presentInvoiceLine(row: InvoiceLine): OfficeInvoiceRow {
  return {
    franchiseId: row.franchiseId,
    workOrderNumber: row.workOrderNumber,
    timeZone: row.timeZone,
    customer: { customerNumber: row.customerNumber, name: row.customerName },
    address: addressOf(row),
    service: row.service,
    completedDate: row.completedDate,
    dueDate: row.dueDate,
    amount: centsToDollars(row.amountCents),
    tax: centsToDollars(row.taxCents),
    paid: centsToDollars(row.paidCents),
    paidElsewhere: centsToDollars(row.paidElsewhereCents),
    balance: centsToDollars(row.balanceCents),
    overpaid: centsToDollars(row.overpaidCents),
    status: row.status,
    tipsEnabled: row.tipsEnabled,
    credited: centsToDollars(row.creditedCents),
  };
}

export const addressOf = ({
  addressLine1,
  city,
  state,
}: {
  addressLine1: string;
  city: string;
  state: string;
}) => [addressLine1, city, state].filter((part) => part.trim() !== '').join(', ');
