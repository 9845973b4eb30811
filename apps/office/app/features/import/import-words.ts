import type { ImportState } from '@brightpane/contract/office/imports';

export const STATE_WORDS: Record<ImportState, string> = {
  checking: 'Checking',
  checked: 'Checked, not imported',
  applying: 'Importing',
  applied: 'Imported',
  refused: 'Refused',
  'broken-off': 'Broken off',
};

export const count = (number: number): string => number.toLocaleString('en-US');

export const counted = (number: number, one: string, many = `${one}s`): string =>
  `${count(number)} ${number === 1 ? one : many}`;

const KILOBYTE = 1_024;
const MEGABYTE = 1_024 * KILOBYTE;

/** "1.2 of 14.0 MB", or "3 of 12 kB" for a file below a megabyte. */
export function sizeWords(part: number, whole: number): string {
  if (whole >= MEGABYTE) return `${(part / MEGABYTE).toFixed(1)} of ${(whole / MEGABYTE).toFixed(1)} MB`;
  return `${Math.ceil(part / KILOBYTE)} of ${Math.ceil(whole / KILOBYTE)} kB`;
}
