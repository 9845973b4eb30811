import { expect, test } from 'vitest';
import { wireCompletedDate, wireDueDate } from './wire-dates.ts';

test.each([
  ['winter in Chicago', '2026-11-30', 'America/Chicago', '2026-11-30T23:59:59-06:00'],
  ['summer in Chicago', '2026-07-01', 'America/Chicago', '2026-07-01T23:59:59-05:00'],
  ['the day the clocks go back', '2026-11-01', 'America/New_York', '2026-11-01T23:59:59-05:00'],
  ['the day the clocks go forward', '2026-03-08', 'America/Los_Angeles', '2026-03-08T23:59:59-07:00'],
  ['a zone without an offset', '2026-01-15', 'UTC', '2026-01-15T23:59:59+00:00'],
  ['a half-hour zone', '2026-01-15', 'Asia/Kolkata', '2026-01-15T23:59:59+05:30'],
])('an invoice is due until the end of the day: %s', (_what, date, zone, expected) => {
  expect(wireDueDate(date, zone)).toBe(expected);
});

test('work is completed at noon of its day', () => {
  expect(wireCompletedDate('2026-11-03', 'America/Denver')).toBe('2026-11-03T12:00:00-07:00');
});
