import { describe, expect, test } from 'vitest';
import { formatWireDate } from './wire-date.ts';

describe('a date from the wire', () => {
  test.each([
    ['2026-11-03T23:59:59-06:00', 'Nov 3, 2026'],
    ['2026-11-03T12:00:00+13:00', 'Nov 3, 2026'],
    ['2026-12-31T23:59:59-10:00', 'Dec 31, 2026'],
    ['2028-02-29T12:00:00-05:00', 'Feb 29, 2028'],
  ])('%s reads %s', (wireDate, text) => {
    expect(formatWireDate(wireDate)).toBe(text);
  });
});
