import { Readable } from 'node:stream';
import { INVOICE_COLUMNS } from '@brightpane/contract/office';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { MAX_ROW_BYTES } from './max-row-bytes.ts';
import { readJsonRows } from './read-json-rows.ts';
import type { SourceRow } from './source-row.ts';

function read(body: string | Buffer, chunkBytes = 5): Promise<SourceRow[]> {
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

test('reads the same rows as a parser of the whole, however the body is cut into chunks', async () => {
  const text = fc.string({ unit: 'binary' });
  const value = fc.oneof(
    text,
    fc.double({ noDefaultInfinity: true, noNaN: true }),
    fc.boolean(),
    fc.constant(null),
  );
  const row = fc.record({ customerName: value, service: value, amount: value });
  await fc.assert(
    fc.asyncProperty(
      fc.array(row),
      fc.integer({ min: 1, max: 64 }),
      fc.nat(2),
      async (rows, chunkBytes, indent) => {
        const body = JSON.stringify({ rows }, null, indent);
        const whole = (JSON.parse(body) as { rows: Record<string, unknown>[] }).rows;
        const expected = whole.map((one) =>
          INVOICE_COLUMNS.map((column) => (column in one ? String(one[column] ?? '') : undefined)),
        );
        const read1 = await read(body, chunkBytes);
        expect(read1.map((source) => 'values' in source && source.values)).toEqual(expected);
      },
    ),
    { numRuns: 40 },
  );
});

test('reads a body with a byte order mark', async () => {
  expect(await read('\ufeff{"rows":[{}]}')).toMatchObject([{ line: 1 }]);
});

test.each([
  ['before the rows', '', '['],
  ['before the rows, in objects', '', '{"a":'],
  ['in a row', '{"rows":[', '['],
  ['in another list', '{"x":[', '{},'],
  ['in a text', '{"rows":[{"city":"', 'x'],
])('refuses 4 MB %s once a row is full', async (_where, start, repeated) => {
  let sent = 0;
  const body = Readable.from(
    (function* () {
      yield Buffer.from(start);
      for (; sent < 4 * 1024 * 1024; sent += 65_536) {
        yield Buffer.from(repeated.repeat(65_536 / repeated.length));
      }
    })(),
  );
  const faults = (await Readable.from(readJsonRows(body)).toArray()).filter((row) => 'fault' in row);
  expect(faults).toHaveLength(1);
  expect(sent).toBeLessThan(4 * MAX_ROW_BYTES);
});

const SHAPE = 'the body must be {"rows": [...]}';
const TOO_DEEP = 'the row has too many levels';
const TOO_LONG = 'the row is too long';

test.each([
  ['nothing', '', { line: 1, fault: SHAPE }],
  ['a list', '[{}]', { line: 1, fault: SHAPE }],
  ['text', '"rows"', { line: 1, fault: SHAPE }],
  ['rows that are an object', '{"rows":{"a":{}}}', { line: 1, fault: SHAPE }],
  ['rows that are a number', '{"rows":1}', { line: 1, fault: SHAPE }],
  ['another field', '{"rows":[],"mode":"all"}', { line: 1, fault: SHAPE }],
  ['a field before the rows', '{"mode":"all","rows":[]}', { line: 1, fault: SHAPE }],
  ['broken JSON', '{"rows":[{}, {"franchiseId": }]}', { line: 2, fault: 'this is not JSON' }],
  ['more after the end', '{"rows":[{}]} {}', { line: 2, fault: 'this is not JSON' }],
  ['a row that is a number', '{"rows":[1]}', { line: 1, fault: 'a row must be an object' }],
  ['a row that is null', '{"rows":[{},null]}', { line: 2, fault: 'a row must be an object' }],
  ['a row that is a list', '{"rows":[[1]]}', { line: 1, fault: 'a row must be an object' }],
  ['an unknown field', '{"rows":[{"balance":1}]}', { line: 1, fault: '"balance" is not a known field' }],
  ['a prototype', '{"rows":[{"__proto__":{"a":1}}]}', { line: 1, fault: '"__proto__" is not a known field' }],
  ['a comma too many', '{"rows":[{},]}', { line: 2, fault: 'this is not JSON' }],
  ['a comma before the first row', '{"rows":[,{}]}', { line: 1, fault: 'this is not JSON' }],
  ['a bracket too many', '{"rows":[{}}]}', { line: 1, fault: 'this is not JSON' }],
  ['JSON that stops', '{"rows":[{}', { line: 1, fault: 'this is not JSON' }],
  ['a body that is not closed', '{"rows":[{}]', { line: 2, fault: 'this is not JSON' }],
  [
    'bytes that are not UTF-8',
    Buffer.from('{"rows":[{"city":"\xff"}]}', 'latin1'),
    { line: 1, fault: 'this is not JSON' },
  ],
  ['a row with nine levels', `{"rows":[${'['.repeat(7)}${']'.repeat(7)}]}`, { line: 1, fault: TOO_DEEP }],
  ['a row beyond 128 KB', `{"rows":[{},{"city":"${'x'.repeat(131_072)}"}]}`, { line: 2, fault: TOO_LONG }],
  [
    'a value that is an object',
    '{"rows":[{"city":{"name":"x"}}]}',
    { line: 1, fault: 'city must be text, a number, true or false' },
  ],
])('%s is named', async (_what, body, fault) => {
  expect((await read(body)).filter((row) => 'fault' in row)).toEqual([fault]);
});
