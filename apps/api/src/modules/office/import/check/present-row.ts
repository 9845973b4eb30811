import { INVOICE_COLUMNS, type InvoiceColumn } from '@brightpane/contract/office';
import type { FieldChange } from '@brightpane/contract/office/imports';
import { toDollars } from '@brightpane/contract/wire';
import { cents, formatDollars } from '@brightpane/money/cents';

/** A row of `ROW_OF_BOOKS`, also the form stored as JSON. */
export type RowOfBooks = {
  franchise_id: number;
  franchise_name: string;
  time_zone: string;
  customer_number: number;
  customer_name: string;
  customer_email: string | null;
  location_number: number;
  description: string;
  address_line1: string;
  city: string;
  state: string;
  zip_code: string;
  work_order_number: number;
  service: string;
  completed_date: string | null;
  due_date: string | null;
  amount_cents: number;
  tax_cents: number;
  tax_rate_ppm: number;
  tips_enabled: boolean;
  paid_elsewhere_cents: number;
};

const COLUMN_OF: Record<InvoiceColumn, keyof RowOfBooks> = {
  franchiseId: 'franchise_id',
  franchiseName: 'franchise_name',
  timeZone: 'time_zone',
  customerNumber: 'customer_number',
  customerName: 'customer_name',
  customerEmail: 'customer_email',
  locationId: 'location_number',
  description: 'description',
  addressLine1: 'address_line1',
  city: 'city',
  state: 'state',
  zipCode: 'zip_code',
  workOrderNumber: 'work_order_number',
  service: 'service',
  completedDate: 'completed_date',
  dueDate: 'due_date',
  amount: 'amount_cents',
  salesTaxAmount: 'tax_cents',
  salesTaxRate: 'tax_rate_ppm',
  tipsEnabled: 'tips_enabled',
  paidElsewhere: 'paid_elsewhere_cents',
};

const PPM = 1_000_000;
const AMOUNTS: readonly InvoiceColumn[] = ['amount', 'salesTaxAmount', 'paidElsewhere'];

type Value = FieldChange['after'];

/** Rows that were stored before a column existed lack it. */
const valueIn = (row: Partial<RowOfBooks>, field: InvoiceColumn): Value => row[COLUMN_OF[field]] ?? null;

/** The differing fields, by the names of the import's columns; for a new invoice, all fields. */
export function presentChanges(before: RowOfBooks | null, after: RowOfBooks): FieldChange[] {
  return INVOICE_COLUMNS.map((field) => ({
    field,
    before: before && toWire(field, valueIn(before, field)),
    after: toWire(field, valueIn(after, field)),
  })).filter((change) => change.before !== change.after && (before !== null || change.after !== ''));
}

/** A row's values as the import's file writes them. */
export function presentCells(row: RowOfBooks): string[] {
  return INVOICE_COLUMNS.map((field) => {
    const value = row[COLUMN_OF[field]];
    if (value === null) return '';
    if (AMOUNTS.includes(field)) return formatDollars(cents(Number(value)));
    return String(toWire(field, value));
  });
}

function toWire(field: InvoiceColumn, value: Value): Value {
  if (value === null) return null;
  if (AMOUNTS.includes(field)) return toDollars(cents(Number(value)));
  return field === 'salesTaxRate' ? Number(value) / PPM : value;
}
