import { expect, test } from 'vitest';
import { printFacts } from './print-facts.ts';

function printed(answer: unknown): string[] {
  const lines: string[] = [];
  printFacts(answer, (line) => lines.push(line));
  return lines;
}

test('facts stand one a line, their values in a column', () => {
  expect(printed({ state: 'unresolved', amount: 108.25, since: null })).toEqual([
    'state   unresolved',
    'amount  108.25',
    'since   none',
  ]);
});

test('lists inside are indented, empty ones said', () => {
  expect(printed({ found: [{ id: 1 }, { id: 2 }], missing: [] })).toEqual([
    'found',
    '  id  1',
    '',
    '  id  2',
    'missing  none',
  ]);
});
