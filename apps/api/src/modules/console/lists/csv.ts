import { type Cents, formatDollars } from '@brightpane/money/cents';

/** A value of an export. Text is defused, an amount never is: `{ cents: -500 }` is `-5.00`. */
export type CsvValue = string | number | null | { cents: Cents };

const LINE_END = '\r\n';
/** So that spreadsheets read UTF-8. */
const BYTE_ORDER_MARK = '\ufeff';
/** What a spreadsheet takes for the beginning of a formula, also behind blanks and in full width. */
const FORMULA = /^\s*[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/;

export const csvHead = (columns: readonly string[]): string =>
  BYTE_ORDER_MARK + columns.map(quote).join(',') + LINE_END;

/** One line as RFC 4180 has it. */
export const csvLine = (values: readonly CsvValue[]): string => values.map(write).join(',') + LINE_END;

function write(value: CsvValue): string {
  if (value === null) return '';
  if (typeof value === 'number') return String(value);
  if (typeof value === 'object') return formatDollars(value.cents);
  return quote(FORMULA.test(value) ? `'${value}` : value);
}

const quote = (text: string) => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
