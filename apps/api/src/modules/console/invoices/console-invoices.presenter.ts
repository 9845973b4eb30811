import type { OfficeInvoiceRow } from '@brightpane/contract/office/invoices';
import { toDollars } from '@brightpane/contract/wire';
import { cents } from '@brightpane/money/cents';
import type { InvoiceLine } from './invoice-row.queries.ts';

const dollars = (amount: number) => toDollars(cents(amount));

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
    amount: dollars(row.amountCents),
    tax: dollars(row.taxCents),
    paid: dollars(row.paidCents),
    paidElsewhere: dollars(row.paidElsewhereCents),
    balance: dollars(row.balanceCents),
    overpaid: dollars(row.overpaidCents),
    status: row.status,
    tipsEnabled: row.tipsEnabled,
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
