import { type Cents, formatDollars } from '@brightpane/money/cents';

/**
 * A value of an export. Text that looks like a formula is defused, an amount never: `{ cents: -500 }` becomes `-5.00`.
 */
export type CsvValue = string | number | null | { cents: Cents };

const LINE_END = '\r\n';
/** Tells spreadsheets that the file is UTF-8. */
const BYTE_ORDER_MARK = '\ufeff';
/** What spreadsheets take for the start of a formula, even after blanks or as full-width characters. */
const FORMULA = /^\s*[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/;

export const csvHead = (columns: readonly string[]): string =>
  BYTE_ORDER_MARK + columns.map(quote).join(',') + LINE_END;

/** A line in the format of RFC 4180. */
export const csvLine = (values: readonly CsvValue[]): string => values.map(write).join(',') + LINE_END;

function write(value: CsvValue): string {
  if (value === null) return '';
  if (typeof value === 'number') return String(value);
  if (typeof value === 'object') return formatDollars(value.cents);
  return quote(FORMULA.test(value) ? `'${value}` : value);
}

const quote = (text: string) => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
