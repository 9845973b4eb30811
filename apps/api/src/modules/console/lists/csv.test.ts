import { cents } from '@brightpane/money/cents';
import { parse } from 'csv-parse/sync';
import { expect, test } from 'vitest';
import { csvHead, csvLine } from './csv.ts';

test.each([
  '=1+1',
  '+1',
  '-1',
  '@SUM(A1)',
  '\t=1',
  '\r=1',
  '\n=1',
  '  =1',
  '\u00a0=1',
  '＝1',
  '＋1',
  '－1',
  '＠x',
])('puts an apostrophe before text that begins like the formula %j', (text) => {
  const [row] = parse(csvLine([text, 'after']), { relaxColumnCount: true }) as string[][];
  expect(row).toEqual([`'${text}`, 'after']);
});

test.each(['Ana', 'a=b', '12-1', 'He said "no"', 'two\nlines', 'a, b', 'Zoë O’Brien', ''])(
  'returns the text %j unchanged',
  (text) => {
    const [row] = parse(csvLine(['first', text]), { relaxColumnCount: true }) as string[][];
    expect(row).toEqual(['first', text]);
  },
);

test('writes amounts as plain signed decimals, and null as nothing', () => {
  expect(csvLine([{ cents: cents(-5_00) }, { cents: cents(123_456_78) }, 7, null])).toBe(
    '-5.00,123456.78,7,\r\n',
  );
});

test('begins a file with a byte order mark and the names of its columns', () => {
  expect(csvHead(['time', 'last four'])).toBe('\ufefftime,last four\r\n');
});
