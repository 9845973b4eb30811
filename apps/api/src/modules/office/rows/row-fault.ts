import { holdsCardNumber } from '@brightpane/contract/card-number';
import type { InvoiceColumn } from '@brightpane/contract/office';

/** What is wrong with a line, or with one value of it. */
export type RowFault = {
  column: InvoiceColumn | null;
  /** As the sender wrote it, cut short and without NUL, which Postgres refuses; empty where it must not be repeated. */
  value: string;
  /** What it has to be, to stand behind the column's name. */
  rule: string;
  /** The whole of it in words. */
  sentence: string;
};

const MOST_SHOWN = 40;

/** Of a line that could not be read, or that is wrong as a whole. */
export const lineFault = (rule: string): RowFault => ({ column: null, value: '', rule, sentence: rule });

export function valueFault(column: InvoiceColumn, given: string, rule: string): RowFault {
  const value = shown(given);
  const quoted = value === '' ? '' : `${JSON.stringify(value)} `;
  return { column, value: value.replaceAll('\0', '\ufffd'), rule, sentence: `${column} ${quoted}${rule}` };
}

function shown(value: string): string {
  return holdsCardNumber(value) ? '' : value.slice(0, MOST_SHOWN).toWellFormed();
}
