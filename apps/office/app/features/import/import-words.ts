import type { FieldChange, ImportState } from '@brightpane/contract/office/imports';
import { fromDollars } from '@brightpane/contract/wire';
import { formatUsd, ZERO } from '@brightpane/money/cents';

export const STATE_WORDS: Record<ImportState, string> = {
  checking: 'Checking',
  checked: 'Checked, not imported',
  applying: 'Importing',
  applied: 'Imported',
  refused: 'Refused',
  'broken-off': 'Broken off',
};

export const usd = (dollars: number): string => formatUsd(fromDollars(dollars) ?? ZERO);

export const count = (number: number): string => number.toLocaleString('en-US');

export const counted = (number: number, one: string, many = `${one}s`): string =>
  `${count(number)} ${number === 1 ? one : many}`;

const AMOUNTS = new Set(['amount', 'salesTaxAmount', 'paidElsewhere']);

export function valueWords(field: string, value: FieldChange['after']): string {
  if (value === null || value === '') return '–';
  if (typeof value === 'number' && AMOUNTS.has(field)) return usd(value);
  if (typeof value === 'boolean') return value ? 'Yes' : 'No';
  return String(value);
}
