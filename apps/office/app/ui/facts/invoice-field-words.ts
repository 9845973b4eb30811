import type { InvoiceColumn } from '@brightpane/contract/office';
import type { FieldChange } from '@brightpane/contract/office/imports';
import { formatDay } from '../../lib/times.ts';
import { usd } from '../fields/dollars.tsx';

const FIELDS: Record<InvoiceColumn | 'paid' | 'credited', string> = {
  paid: 'Paid by card',
  credited: 'Credited, off the amount',
  franchiseId: 'Franchise number',
  franchiseName: 'Franchise',
  timeZone: 'Time zone',
  workOrderNumber: 'Work order',
  paidElsewhere: 'Paid to the office',
  amount: 'Amount',
  salesTaxAmount: 'Sales tax',
  salesTaxRate: 'Sales tax rate',
  dueDate: 'Due',
  completedDate: 'Completed',
  tipsEnabled: 'Tips',
  service: 'Services',
  customerName: 'Customer',
  customerNumber: 'Customer number',
  customerEmail: 'Customer email',
  addressLine1: 'Address',
  locationId: 'Location number',
  description: 'Description',
  city: 'City',
  state: 'State',
  zipCode: 'Zip code',
};
const AMOUNTS = new Set(['paid', 'credited', 'paidElsewhere', 'amount', 'salesTaxAmount']);
const DAYS = new Set(['dueDate', 'completedDate']);

/** A field of an invoice, customer or location as screens name it. */
export const invoiceFieldWords = (field: string): string =>
  field in FIELDS ? FIELDS[field as keyof typeof FIELDS] : field;

export function invoiceValueWords(field: string, value: FieldChange['after']): string {
  if (value === null || value === '') return '–';
  if (typeof value === 'boolean') return value ? 'Yes' : 'No';
  if (DAYS.has(field)) return formatDay(String(value));
  return AMOUNTS.has(field) ? usd(Number(value)) : String(value);
}
