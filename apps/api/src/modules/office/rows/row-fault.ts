import { holdsCardNumber } from '@brightpane/contract/card-number';
import type { InvoiceColumn } from '@brightpane/contract/office';

/** What is wrong with a line, or with one of its values. */
export type RowFault = {
  column: InvoiceColumn | null;
  /** As sent, truncated and without NUL, which Postgres refuses; empty if it must not be repeated. */
  value: string;
  /** What the value has to be, phrased to follow the column's name. */
  rule: string;
  /** The complete sentence. */
  sentence: string;
};

const MOST_SHOWN = 40;
/** A card number that begins among those ends among these: 19 digits with up to three separators between two of them. */
const MOST_JUDGED = MOST_SHOWN + 19 + 18 * 3;

/** For an unreadable line, or one that is wrong as a whole. */
export const lineFault = (rule: string): RowFault => ({ column: null, value: '', rule, sentence: rule });

export function valueFault(column: InvoiceColumn, given: string, rule: string): RowFault {
  const value = shown(given);
  const quoted = value === '' ? '' : `${JSON.stringify(value)} `;
  return { column, value: value.replaceAll('\0', '\ufffd'), rule, sentence: `${column} ${quoted}${rule}` };
}

function shown(value: string): string {
  return holdsCardNumber(value.slice(0, MOST_JUDGED)) ? '' : value.slice(0, MOST_SHOWN).toWellFormed();
}
