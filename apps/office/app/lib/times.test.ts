import { expect, test } from 'vitest';
import { formatInstant, formatInstantDay, timesWords } from './times.ts';

const NOW = new Date('2026-11-22T12:00:00Z');

test.each([
  ['2026-11-21T20:06:00Z', 'America/Chicago', 'Nov 21, 2:06 PM'],
  ['2026-11-21T20:06:00Z', 'America/Phoenix', 'Nov 21, 1:06 PM'],
  ['2025-12-31T23:59:00Z', 'America/New_York', 'Dec 31, 2025, 6:59 PM'],
  ['2027-01-01T03:00:00Z', 'America/Chicago', 'Dec 31, 9:00 PM'],
])('%s in %s reads %s', (instant, zone, text) => {
  expect(formatInstant(instant, zone, NOW)).toBe(text);
});

test('a day is that of the zone', () => {
  expect(formatInstantDay('2026-11-21T02:00:00Z', 'America/Chicago')).toBe('Nov 20, 2026');
});

test('a zone is named by its city', () => {
  expect(timesWords('America/New_York')).toBe('Times: New York (America/New_York)');
});
