import { Readable } from 'node:stream';
import { INVOICE_COLUMNS } from '@brightpane/contract/office';
import { expect, test } from 'vitest';
import { readCsvRows } from './read-csv-rows.ts';
import type { SourceRow } from './source-row.ts';

const COLUMNS = INVOICE_COLUMNS.length;
const HEADER = INVOICE_COLUMNS.join(',');
const SHORT_HEADER = INVOICE_COLUMNS.slice(0, -1).join(',');
/** A row in which only the first two values matter. */
const values = (first: string, second: string, count: number = INVOICE_COLUMNS.length) =>
  [first, second, ...Array.from({ length: count - 2 }, () => '')].join(',');

async function read(file: string | Buffer, chunkBytes = 7): Promise<SourceRow[]> {
  const bytes = Buffer.from(file);
  const chunks: Buffer[] = [];
  for (let index = 0; index < bytes.length; index += chunkBytes)
    chunks.push(bytes.subarray(index, index + chunkBytes));
  return Readable.from(readCsvRows(Readable.from(chunks))).toArray();
}

const firstTwo = (rows: SourceRow[]) =>
  rows.map((row) => ('fault' in row ? row : [row.line, row.values[0], row.values[1]]));

/** The lines of readable rows, and the others with what is wrong, in the order read. */
const named = (rows: SourceRow[]) =>
  rows.map((row) => ('fault' in row ? ([row.line, row.fault] as [number, string]) : row.line));

test.each([
  ['LF', '\n'],
  ['CRLF', '\r\n'],
  ['CR', '\r'],
])('reads lines that end in %s, and skips empty ones', async (_name, newline) => {
  const file = [HEADER, values('1', 'Köhler'), '', values('2', 'Łódź 🪟'), ''].join(newline);
  expect(firstTwo(await read(file))).toEqual([
    [2, '1', 'Köhler'],
    [4, '2', 'Łódź 🪟'],
  ]);
});

test('ignores a byte order mark before the header', async () => {
  expect(firstTwo(await read(`\uFEFF${HEADER}\n${values('1', 'a')}`))).toEqual([[2, '1', 'a']]);
});

test('reads commas, doubled marks and line breaks in a quoted value, and still counts lines right', async () => {
  const file = `${HEADER}\r\n${values('1', '"a, ""b""\r\nc\r\n\r\nd"')}\r\n${values('2', '"x"')}\r\n`;
  expect(firstTwo(await read(file))).toEqual([
    [2, '1', 'a, "b"\r\nc\r\n\r\nd'],
    [6, '2', 'x'],
  ]);
});

test('accepts a file without the last column', async () => {
  const [row] = await read(`${SHORT_HEADER}\n${values('1', 'a', INVOICE_COLUMNS.length - 1)}`);
  expect(row).toMatchObject({ line: 2 });
  expect(row && 'values' in row && row.values).toHaveLength(INVOICE_COLUMNS.length - 1);
});

const HEADER_FAULT = `the header must be ${INVOICE_COLUMNS.join(',')} (the last may be left out)`;

test.each([
  ['an empty file', '', { line: 1, fault: 'the file is empty' }],
  ['a byte order mark alone', '\uFEFF', { line: 1, fault: 'the file is empty' }],
  ['blank lines alone', '\n\n', { line: 1, fault: 'the file is empty' }],
  ['no header', values('1', 'a'), { line: 1, fault: HEADER_FAULT }],
  ['a header in another order', HEADER.split(',').toReversed().join(','), { line: 1, fault: HEADER_FAULT }],
  [
    'two columns too few',
    SHORT_HEADER.slice(0, SHORT_HEADER.lastIndexOf(',')),
    { line: 1, fault: HEADER_FAULT },
  ],
  ['a column too many', `${HEADER},more`, { line: 1, fault: HEADER_FAULT }],
  ['semicolons', HEADER.replaceAll(',', ';'), { line: 1, fault: HEADER_FAULT }],
  [
    'a value too few',
    `${HEADER}\n${values('1', 'a', INVOICE_COLUMNS.length - 1)}`,
    { line: 2, fault: `${COLUMNS - 1} values where the header has ${COLUMNS}` },
  ],
  [
    'a value too many',
    `${SHORT_HEADER}\n${values('1', 'a')}`,
    { line: 2, fault: `${COLUMNS} values where the header has ${COLUMNS - 1}` },
  ],
  [
    'a mark inside a quoted value',
    `${HEADER}\n${values('1', '"a"b')}`,
    { line: 2, fault: 'a quotation mark inside a quoted value must be doubled' },
  ],
  [
    'a mark inside a bare value',
    `${HEADER}\n${values('1', 'a"b')}`,
    { line: 2, fault: 'a value with quotation marks must be quoted, and the marks doubled' },
  ],
  [
    'a mark that is never closed',
    `${HEADER}\n${values('1', '"a')}`,
    { line: 2, fault: 'a quotation mark is opened and never closed' },
  ],
  [
    'a line without end',
    `${HEADER}\n${values('1', 'a'.repeat(200_000))}`,
    { line: 2, fault: 'the line is too long' },
  ],
])('%s is named', async (_what, file, fault) => {
  expect((await read(file, 4096)).filter((row) => 'fault' in row)[0]).toEqual(fault);
});

test('names a line that is far too long once, and nothing behind it', async () => {
  const long = values('2', 'a'.repeat(2_000_000));
  const file = [HEADER, '1', long, ...Array.from({ length: 9_000 }, () => values('3', 'b'))].join('\n');
  const faults = (await read(file, 65_536)).filter((row) => 'fault' in row);
  expect(faults.toSorted((one, other) => one.line - other.line)).toEqual([
    { line: 2, fault: `1 values where the header has ${COLUMNS}` },
    { line: 3, fault: 'the line is too long' },
  ]);
});

test('reads rows after a bad one', async () => {
  const file = [HEADER, values('1', 'a"b'), values('2', 'c'), '3', values('4', 'd')].join('\n');
  const rows = await read(file);
  expect(rows.map(({ line }) => line).toSorted()).toEqual([2, 3, 4, 5]);
  expect(rows.filter((row) => 'values' in row)).toHaveLength(2);
});

const MARKS = 'a value with quotation marks must be quoted, and the marks doubled';
const DOUBLED = 'a quotation mark inside a quoted value must be doubled';
const OPEN = 'a quotation mark is opened and never closed';

test.each<[string, string[], string, (number | [number, string])[]]>([
  [
    'two marks in a bare value',
    [values('1', 'Wash 24" x 36" panes'), values('2', 'b')],
    '\n',
    [[2, MARKS], 3],
  ],
  ['marks in two values', [values('1"', 'a"'), values('2', 'b')], '\n', [[2, MARKS], 3]],
  [
    'marks in two values, with a line break between them',
    [values('1"', '"a\nb"c"'), values('2', 'b')],
    '\n',
    [[2, MARKS], 4],
  ],
  ['two kinds of fault', [values('1', '"a"b"c'), values('2', 'b')], '\n', [[2, DOUBLED]]],
  [
    'the same line twice',
    [values('1', 'a"b'), values('1', 'a"b'), values('2', 'b')],
    '\n',
    [[2, MARKS], [3, MARKS], 4],
  ],
])('%s: one fault for each record', async (_what, rows, newline, expected) => {
  expect(named(await read([HEADER, ...rows, ''].join(newline)))).toEqual(expected);
});

test.each<[string, string[], string, (number | [number, string])[]]>([
  [
    'after a row of two lines',
    [values('1', '"a\r\nb"'), values('2', 'a"b'), values('3', 'c')],
    '\r\n',
    [2, [4, MARKS], 5],
  ],
  [
    'after a bad row of two lines',
    [values('1"', '"a\r\nb"'), values('2', 'a"b'), values('3', 'c')],
    '\r\n',
    [[2, MARKS], [4, MARKS], 5],
  ],
  [
    'whose mark stands on its second line',
    [values('"a\r\nb"', 'a"b'), values('3', 'c')],
    '\r\n',
    [[2, MARKS], 4],
  ],
  [
    'after empty lines',
    ['', '', values('2', 'a"b'), '', '', values('"a"b"', 'x'), '', values('3', 'c')],
    '\r\n',
    [[4, MARKS], [7, DOUBLED], 9],
  ],
  [
    'that swallows the rest of the file',
    [values('1', '"a'), values('2', 'b'), values('3', 'c')],
    '\n',
    [[2, OPEN]],
  ],
  [
    'that swallows the rest, after empty lines',
    [values('1', 'b'), '', values('1', '"a'), values('3', 'c')],
    '\n',
    [2, [4, OPEN]],
  ],
  [
    'that swallows a whole long file',
    [values('1', '"a'), ...Array.from({ length: 20_000 }, () => values('2', 'b'))],
    '\n',
    [[2, 'the line is too long']],
  ],
  [
    'in a file that ends lines with CR',
    [values('1', '"a\rb"'), values('2', 'a"b'), '', values('3', 'c')],
    '\r',
    [2, [4, MARKS], 6],
  ],
  [
    'with Windows line breaks after a header without',
    [`${values('1', 'a')}\r`, `${values('2', 'a"b')}\r`, values('3', 'c')],
    '\n',
    [2, [3, MARKS], 4],
  ],
])('names the line of a row %s', async (_which, rows, newline, expected) => {
  const file = [HEADER, ...rows, ''].join(newline);
  for (const chunkBytes of [1, 7, 65_536]) {
    if (chunkBytes < 65_536 && file.length > 100_000) continue;
    expect(named(await read(file, chunkBytes))).toEqual(expected);
    expect(named(await read(`\uFEFF${file}`, chunkBytes))).toEqual(expected);
  }
});

test('reads UTF-16 behind its byte order mark, and names its lines as an editor counts them', async () => {
  const rows = [values('1', 'Łódź 🪟'), values('"a\r\nb"', 'Ċ'), values('3', 'a"b'), '4', values('5', 'c')];
  const file = Buffer.from(`\uFEFF${[HEADER, ...rows, ''].join('\r\n')}`, 'utf16le');
  const read16 = await read(file);
  expect(firstTwo(read16).slice(0, 2)).toEqual([
    [2, '1', 'Łódź 🪟'],
    [3, 'a\r\nb', 'Ċ'],
  ]);
  expect(named(read16)).toEqual([2, 3, [5, MARKS], [6, `1 values where the header has ${COLUMNS}`], 7]);
});

test('counts lines in a file with more empty lines than it keeps', async () => {
  const empty = Array.from({ length: 600_000 }, () => '');
  const file = [HEADER, ...empty, values('1', 'a"b'), ...empty, values('2', 'b')].join('\n');
  expect(named(await read(file, 65_536))).toEqual([[600_002, MARKS], 1_200_003]);
});

test('a body that breaks off is an error, not the end of the file', async () => {
  const body = Readable.from(
    (async function* () {
      yield Buffer.from(`${HEADER}\n${values('1', 'a')}\n`);
      throw new Error('the connection broke');
    })(),
  );
  await expect(Readable.from(readCsvRows(body)).toArray()).rejects.toThrow('the connection broke');
});
