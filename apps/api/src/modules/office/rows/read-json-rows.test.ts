import { Readable } from 'node:stream';
import { INVOICE_COLUMNS } from '@brightpane/contract/office';
import { expect, test } from 'vitest';
import { readJsonRows } from './read-json-rows.ts';
import type { SourceRow } from './source-row.ts';

function read(body: string, chunkBytes = 5): Promise<SourceRow[]> {
  const bytes = Buffer.from(body);
  const chunks: Buffer[] = [];
  for (let index = 0; index < bytes.length; index += chunkBytes)
    chunks.push(bytes.subarray(index, index + chunkBytes));
  return Readable.from(readJsonRows(Readable.from(chunks))).toArray();
}

test('reads values of every kind as the text that a CSV file would have', async () => {
  const row = {
    franchiseId: 7,
    franchiseName: 'Köhler & Söhne',
    amount: 108.25,
    dueDate: null,
    tipsEnabled: true,
  };
  const [read1] = await read(`${JSON.stringify({ rows: [row] })}\n`);
  const expected: Record<string, string | undefined> = {
    franchiseId: '7',
    franchiseName: 'Köhler & Söhne',
    amount: '108.25',
    dueDate: '',
    tipsEnabled: 'true',
  };
  expect(read1).toEqual({ line: 1, values: INVOICE_COLUMNS.map((column) => expected[column]) });
});

test('counts rows from 1', async () => {
  const rows = await read('{"rows":[{},{},{}]}');
  expect(rows.map(({ line }) => line)).toEqual([1, 2, 3]);
});

test('accepts a list without rows', async () => {
  expect(await read('{"rows": []}')).toEqual([]);
});

const SHAPE = 'the body must be {"rows": [...]}';

test.each([
  ['nothing', '', { line: 1, fault: SHAPE }],
  ['a list', '[{}]', { line: 1, fault: SHAPE }],
  ['text', '"rows"', { line: 1, fault: SHAPE }],
  ['rows that are an object', '{"rows":{"a":{}}}', { line: 1, fault: SHAPE }],
  ['rows that are a number', '{"rows":1}', { line: 1, fault: SHAPE }],
  ['another field', '{"rows":[],"mode":"all"}', { line: 1, fault: SHAPE }],
  ['a field before the rows', '{"mode":"all","rows":[]}', { line: 1, fault: SHAPE }],
  ['broken JSON', '{"rows":[{}, {"franchiseId": }]}', { line: 2, fault: 'this is not JSON' }],
  ['JSON that stops', '{"rows":[{}', { line: 2, fault: 'this is not JSON' }],
  ['more after the end', '{"rows":[{}]} {}', { line: 2, fault: 'this is not JSON' }],
  ['a row that is a number', '{"rows":[1]}', { line: 1, fault: 'a row must be an object' }],
  ['a row that is null', '{"rows":[{},null]}', { line: 2, fault: 'a row must be an object' }],
  ['a row that is a list', '{"rows":[[1]]}', { line: 1, fault: 'a row must be an object' }],
  ['an unknown field', '{"rows":[{"balance":1}]}', { line: 1, fault: '"balance" is not a known field' }],
  ['a prototype', '{"rows":[{"__proto__":{"a":1}}]}', { line: 1, fault: '"__proto__" is not a known field' }],
  [
    'a value that is an object',
    '{"rows":[{"city":{"name":"x"}}]}',
    { line: 1, fault: 'city must be text, a number, true or false' },
  ],
])('%s is named', async (_what, body, fault) => {
  expect((await read(body)).filter((row) => 'fault' in row)).toEqual([fault]);
});
