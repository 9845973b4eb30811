import { expect, test } from 'vitest';
import * as z from 'zod';
import { readCursor, writeCursor } from './cursor.ts';

const keys = z.tuple([z.iso.datetime(), z.uuid(), z.int()]);
const ROW = ['2026-11-03T19:30:00.123456Z', 'f81d4fae-7dec-41d0-a765-00a0c91e6bf6', 11] as const;
const filters = { state: 'paid', from: undefined };

test('a cursor is read by the list and the filters that it was made for, in whatever order these stand', () => {
  const cursor = writeCursor(ROW, { state: 'paid', search: 'ana' });
  expect(readCursor(cursor, { filters: { search: 'ana', cursor, state: 'paid' }, keys })).toEqual(ROW);
});

test.each([
  ['of other filters', writeCursor(ROW, { state: 'declined' })],
  ['of another list', writeCursor(['name', 1], filters)],
  ['cut off', writeCursor(ROW, filters).slice(0, -6)],
  ['made up', Buffer.from(`["x","' OR 1=1 --"]`).toString('base64url')],
  ['no JSON', 'abc'],
  ['an object', Buffer.from('{}').toString('base64url')],
  ['nothing', ''],
  ['with a NUL', '\u0000'],
])('one that is %s is not', (_, cursor) => {
  expect(readCursor(cursor, { filters, keys })).toBeNull();
});
