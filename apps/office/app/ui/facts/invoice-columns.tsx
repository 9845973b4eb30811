import type { OfficeInvoiceRow } from '@brightpane/contract/office/invoices';
import { toDollars } from '@brightpane/contract/wire';
import { sumCents } from '@brightpane/money/cents';
import { formatDay } from '../../lib/times.ts';
import { Dollars } from '../fields/dollars.tsx';
import { inCents } from '../fields/in-cents.ts';
import type { ListColumn } from '../list/list-column.ts';
import { InvoiceStatusBadge } from './invoice-status.tsx';

const dayOr = (day: string | null, words: string) => (day === null ? words : formatDay(day));

/** An invoice's columns in every list of invoices. */
export const INVOICE_COLUMNS: ListColumn<OfficeInvoiceRow>[] = [
  { head: 'Work order', isName: true, cell: ({ workOrderNumber }) => String(workOrderNumber) },
  { head: 'Customer', isWide: true, cell: ({ customer }) => customer.name },
  { head: 'Address', isWide: true, cell: ({ address }) => address },
  { head: 'Completed', cell: ({ completedDate }) => dayOr(completedDate, 'Upcoming') },
  { head: 'Due', cell: ({ dueDate }) => dayOr(dueDate, 'Pending') },
  { head: 'Amount', isAmount: true, cell: ({ amount }) => <Dollars amount={amount} /> },
  {
    head: 'Paid',
    isAmount: true,
    cell: ({ paid, paidElsewhere }) => (
      <Dollars amount={toDollars(sumCents([paid, paidElsewhere].map(inCents)))} />
    ),
  },
  { head: 'Balance', isAmount: true, cell: ({ balance }) => <Dollars amount={balance} /> },
  { head: 'Status', cell: ({ status }) => <InvoiceStatusBadge status={status} /> },
];

export const invoiceKey = ({ franchiseId, workOrderNumber }: OfficeInvoiceRow) =>
  `${franchiseId}/${workOrderNumber}`;
export const invoiceLink = (row: OfficeInvoiceRow) => `/invoices/${invoiceKey(row)}`;
