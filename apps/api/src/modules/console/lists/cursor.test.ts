import { expect, test } from 'vitest';
import * as z from 'zod';
import { fail, ok } from '../../../http/result.ts';
import { readPlace, writeCursor } from './cursor.ts';
import { dayKey, franchiseKey, instantKey, textKey } from './cursor-keys.ts';

const keys = z.tuple([z.iso.datetime(), z.uuid(), z.int()]);
const ROW = ['2026-11-03T19:30:00.123456Z', 'f81d4fae-7dec-41d0-a765-00a0c91e6bf6', 11] as const;
const filters = { state: 'paid', from: undefined };

test('accepts a cursor for its own list and filters, in any order', () => {
  const cursor = writeCursor(ROW, { state: 'paid', search: 'ana' });
  expect(readPlace(cursor, { filters: { search: 'ana', cursor, state: 'paid' }, keys })).toEqual(ok(ROW));
});

test('the first page needs none', () => {
  expect(readPlace(undefined, { filters, keys })).toEqual(ok(null));
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
])('rejects one that is %s', (_, cursor) => {
  expect(readPlace(cursor, { filters, keys })).toEqual(fail('cursor-unknown'));
});

test.each([
  ['an instant', instantKey(), '2026-11-03T19:30:00.123456+00:00'],
  ['a day', dayKey(), '2026-11-03'],
  ['no day', dayKey(), 'infinity'],
  ['a franchise', franchiseKey(), 11],
  ['a text', textKey(), "o'brien"],
])('a key is %s', (_, key, value) => {
  expect(key.safeParse(value).data).toBe(value);
});

// Each of these ends a statement of Postgres.
test.each([
  ['an instant of the year 0', instantKey(), '0000-01-01T00:00:00Z'],
  ['an instant of no zone', instantKey(), '2026-11-03T00:00:00+23:59'],
  ['an instant cut finer than any clock', instantKey(), `2026-11-03T00:00:00.${'1'.repeat(150)}Z`],
  ['a day of the year 0', dayKey(), '0000-01-01'],
  ['a day of no month', dayKey(), '2026-02-30'],
  ['more franchises than an integer counts', franchiseKey(), 2_147_483_648],
  ['a text with a NUL', textKey(), 'a\u0000b'],
])('a key is not %s', (_, key, value) => {
  expect(key.safeParse(value).success).toBe(false);
});
