import { holdsCardNumber } from '@brightpane/contract/card-number';
import { email } from '@brightpane/contract/fields';
import { INVOICE_COLUMNS, type InvoiceColumn } from '@brightpane/contract/office';
import { isTimeZone } from '@brightpane/contract/time-zone';
import { type Cents, parseDollars } from '@brightpane/money/cents';
import { parseRate } from '@brightpane/money/rate';
import { type RowFault, valueFault } from './row-fault.ts';

/** What is wrong with a value, phrased to follow the column's name. */
class Fault {
  readonly sentence: string;
  constructor(sentence: string) {
    this.sentence = sentence;
  }
}

type Reader<Value> = (value: string) => Value | Fault;

const MISSING = 'is missing';
const MAX_AMOUNT_CENTS = 99_999_999_99;
const CONTROL = /\p{Cc}/u;
const EMAIL = email();
const SERVICE = text(20_000);
const TAX_COLUMN = INVOICE_COLUMNS.indexOf('salesTaxAmount');

/** One reader per column. Values arrive trimmed; an empty one is ''. */
const READERS = {
  franchiseId: positiveInteger(999_999_999),
  franchiseName: text(200, { required: true }),
  timeZone: timeZone(),
  customerNumber: positiveInteger(999_999_999_999_999),
  customerName: text(200, { required: true }),
  customerEmail: (value) =>
    value === '' ? null : (EMAIL.safeParse(value).data ?? new Fault('must be an email address')),
  locationId: positiveInteger(999_999_999_999_999),
  description: text(200),
  addressLine1: text(200, { required: true }),
  city: text(100),
  state: text(100),
  zipCode: text(20),
  workOrderNumber: positiveInteger(9_999_999_999),
  service: (value) => SERVICE(onOneLine(value)),
  completedDate: calendarDate,
  dueDate: calendarDate,
  amount: dollars,
  salesTaxAmount: dollars,
  salesTaxRate: (value) => parseRate(value) ?? new Fault('must be a fraction of at most 1, such as 0.0825'),
  tipsEnabled: (value) => BOOLEANS.get(value.toLowerCase()) ?? new Fault('must be true or false'),
  paidElsewhere: (value) => dollars(value || '0'),
} satisfies Record<InvoiceColumn, Reader<unknown>>;

const BOOLEANS = new Map([
  ['true', true],
  ['false', false],
]);

type Values = {
  [Column in InvoiceColumn]: Exclude<ReturnType<(typeof READERS)[Column]>, Fault>;
};

/** A valid row. `paidElsewhere` is null if the sender's file has no such column. */
export type InvoiceRow = Omit<Values, 'paidElsewhere'> & { paidElsewhere: Cents | null };

export type ReadInvoiceRow = { ok: true; row: InvoiceRow } | { ok: false; faults: RowFault[] };

/** Reads and validates a row's values, in the order of `INVOICE_COLUMNS`. A value that was left out is undefined. */
export function readInvoiceRow(values: readonly (string | undefined)[]): ReadInvoiceRow {
  const faults: RowFault[] = [];
  const read: Partial<Record<InvoiceColumn, unknown>> = {};
  for (const [index, column] of INVOICE_COLUMNS.entries()) {
    const given = values[index];
    if (given === undefined) {
      // Only an empty value empties what is stored. A program that leaves a field out hasn't said that.
      if (column === 'paidElsewhere') read.paidElsewhere = null;
      else faults.push(valueFault(column, '', MISSING));
      continue;
    }
    const value = given.trim();
    const result = READERS[column](value);
    if (result instanceof Fault) faults.push(valueFault(column, value, result.sentence));
    read[column] = result;
  }
  if (faults.length > 0) return { ok: false, faults };
  const row = read as InvoiceRow;
  if (row.salesTaxAmount > row.amount) {
    const rule = 'must not be more than amount, which includes it';
    const fault = valueFault('salesTaxAmount', values[TAX_COLUMN]?.trim() ?? '', rule);
    return { ok: false, faults: [{ ...fault, sentence: `salesTaxAmount ${rule}` }] };
  }
  return { ok: true, row };
}

function positiveInteger(max: number): Reader<number> {
  return (value) => {
    const number = /^\d{1,15}$/.test(value) ? Number(value) : 0;
    return number > 0 && number <= max ? number : new Fault(`must be a whole number from 1 to ${max}`);
  };
}

function text(maxLength: number, { required = false } = {}): Reader<string> {
  return (value) => {
    if (required && value === '') return new Fault(MISSING);
    if (value.length > maxLength) return new Fault(`must have at most ${maxLength} characters`);
    if (value.includes('\uFFFD') || !value.isWellFormed()) return new Fault('must be UTF-8 text');
    if (CONTROL.test(value)) return new Fault('must not have control characters');
    if (holdsCardNumber(value)) return new Fault('must not hold a card number');
    return value;
  };
}

/** A service's lines may be separated by line breaks as well as semicolons. */
function onOneLine(value: string): string {
  return value
    .split(/\r\n|\n|\r/)
    .map((line) => line.trim())
    .join('; ');
}

function timeZone(): Reader<string> {
  const known = new Set<string>();
  return (value) => {
    if (!known.has(value)) {
      if (!isTimeZone(value)) return new Fault('must be a time zone such as America/Chicago');
      known.add(value);
    }
    return value;
  };
}

/** An existing calendar date, as `YYYY-MM-DD`. */
function calendarDate(value: string): string | null | Fault {
  if (value === '') return null;
  const isReal =
    /^(19|2\d)\d\d-\d\d-\d\d$/.test(value) && new Date(`${value}T00:00Z`).toJSON()?.slice(0, 10) === value;
  return isReal ? value : new Fault('must be a date such as 2026-11-30');
}

function dollars(value: string): Cents | Fault {
  const amount = parseDollars(value);
  const fits = amount !== null && amount >= 0 && amount <= MAX_AMOUNT_CENTS;
  return fits ? amount : new Fault('must be dollars such as 108.25, from 0 to 99999999.99');
}
