import { expect, test } from 'vitest';
import { printFacts } from './print-facts.ts';

function printed(answer: unknown): string[] {
  const lines: string[] = [];
  printFacts(answer, (line) => lines.push(line));
  return lines;
}

test('prints one fact per line, with the values in a column', () => {
  expect(printed({ state: 'unresolved', amount: 108.25, since: null })).toEqual([
    'state   unresolved',
    'amount  108.25',
    'since   none',
  ]);
});

test('indents nested lists and says when one is empty', () => {
  expect(printed({ found: [{ id: 1 }, { id: 2 }], missing: [] })).toEqual([
    'found',
    '  id  1',
    '',
    '  id  2',
    'missing  none',
  ]);
});
