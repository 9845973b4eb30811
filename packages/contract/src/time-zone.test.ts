import { expect, test } from 'vitest';
import { isTimeZone } from './time-zone.ts';

test.each<readonly [string, boolean]>([
  ['America/Chicago', true],
  ['America/Argentina/Buenos_Aires', true],
  ['US/Eastern', true],
  ['UTC', true],
  ['Etc/GMT+5', true],
  // Postgres reads these as abbreviations, with one offset all year or of another country.
  ...['PST', 'CST', 'CET', 'EET', 'MET', 'WET', 'IST', 'BST', 'AST'].map((name) => [name, false] as const),
  // The same for both today, but an operator can give Postgres other abbreviations.
  ...['EST', 'MST', 'HST', 'GMT'].map((name) => [name, false] as const),
  // Only Intl knows these.
  ['US/Pacific-New', false],
  ['SystemV/PST8PDT', false],
  ['America/Springfield', false],
  ['Chicago', false],
  ['+05:00', false],
  ['', false],
  ['America/Chicago; DROP', false],
])('%s names a time zone: %s', (name, expected) => {
  expect(isTimeZone(name)).toBe(expected);
});
