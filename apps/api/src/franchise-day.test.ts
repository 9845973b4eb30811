import { expect, test } from 'vitest';
import { formatDay, franchiseDay, zonedInstant } from './franchise-day.ts';

test.each([
  ['an evening in Chicago', '2026-11-04T01:30:00+00:00', 'America/Chicago', '2026-11-03T19:30:00-06:00'],
  ['a summer evening there', '2026-07-02T04:59:59Z', 'America/Chicago', '2026-07-01T23:59:59-05:00'],
  ['a second later', '2026-07-02T05:00:00Z', 'America/Chicago', '2026-07-02T00:00:00-05:00'],
  ['before the clocks go back', '2026-11-01T05:59:59Z', 'America/New_York', '2026-11-01T01:59:59-04:00'],
  ['after they have', '2026-11-01T06:00:00Z', 'America/New_York', '2026-11-01T01:00:00-05:00'],
  [
    'before the clocks go forward',
    '2026-03-08T09:59:59Z',
    'America/Los_Angeles',
    '2026-03-08T01:59:59-08:00',
  ],
  ['after they have', '2026-03-08T10:00:00Z', 'America/Los_Angeles', '2026-03-08T03:00:00-07:00'],
  ['a zone without summer time', '2026-07-02T06:30:00Z', 'America/Phoenix', '2026-07-01T23:30:00-07:00'],
  ['the last evening of a year', '2027-01-01T03:00:00Z', 'Pacific/Honolulu', '2026-12-31T17:00:00-10:00'],
  ['a morning ahead of UTC', '2026-11-03T18:30:00Z', 'Asia/Kolkata', '2026-11-04T00:00:00+05:30'],
  ['a zone of quarter hours', '2026-11-03T18:15:00Z', 'Asia/Kathmandu', '2026-11-04T00:00:00+05:45'],
  ['UTC', '2026-11-03T23:59:59.999Z', 'UTC', '2026-11-03T23:59:59+00:00'],
  [
    'microseconds, as Postgres has them',
    '2026-11-04T01:30:00.123456+00:00',
    'America/Chicago',
    '2026-11-03T19:30:00-06:00',
  ],
  [
    'an instant with an offset of its own',
    '2026-11-03T22:00:00-03:30',
    'America/Chicago',
    '2026-11-03T19:30:00-06:00',
  ],
])('shows %s by the local clock', (_what, instant, zone, expected) => {
  expect(zonedInstant(instant, zone)).toBe(expected);
  expect(zonedInstant(new Date(instant), zone)).toBe(expected);
  expect(franchiseDay(instant, zone)).toBe(expected.slice(0, 10));
});

test('keeps the instant when it is written in a time zone', () => {
  const zones = Intl.supportedValuesOf('timeZone');
  for (const instant of ['2026-01-15T03:20:10Z', '2026-07-15T21:40:50Z', '2026-10-25T01:00:00Z']) {
    for (const zone of zones) expect(Date.parse(zonedInstant(instant, zone))).toBe(Date.parse(instant));
  }
});

test('prints a day short or long', () => {
  expect(formatDay('2026-11-03', 'medium')).toBe('Nov 3, 2026');
  expect(formatDay('2026-11-03', 'long')).toBe('November 3, 2026');
});
