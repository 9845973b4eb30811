import { expect, test } from 'vitest';
import { isCardExpired } from './is-card-expired.ts';

test.each([
  ['in a month to come', '2027-01-01', '2026-11-15T18:00:00Z', false],
  ['in its last month', '2026-11-01', '2026-11-15T18:00:00Z', false],
  ['on the last evening of its month in Honolulu', '2026-11-01', '2026-12-01T09:59:00Z', false],
  ['when its month is over everywhere', '2026-11-01', '2026-12-01T12:00:00Z', true],
  ['in the month before', '2026-10-01', '2026-11-15T18:00:00Z', true],
  ['at the turn of a year', '2025-12-01', '2026-01-02T00:00:00Z', true],
  ['without a date', null, '2026-11-15T18:00:00Z', false],
])('a card %s', (_when, expiresMonth, now, expired) => {
  expect(isCardExpired(expiresMonth, new Date(now))).toBe(expired);
});
