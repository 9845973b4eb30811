import { expect, test } from 'vitest';
import { isOld } from './fresh-links.ts';

const NOW = Date.parse('2026-11-22T15:00:00Z');
const MINUTE_MILLISECONDS = 60_000;
const linkUntil = (time: number) =>
  `https://pay.example.com/api/documents/x.pdf?expires=${time / 1000}&signature=s`;

test('a link is old before it runs out', () => {
  const link = linkUntil(NOW + 9 * MINUTE_MILLISECONDS);
  expect(isOld(link, NOW)).toBe(false);
  expect(isOld(link, NOW + 7 * MINUTE_MILLISECONDS)).toBe(false);
  expect(isOld(link, NOW + 8.5 * MINUTE_MILLISECONDS)).toBe(true);
});

test('a link is old after eight minutes here, whatever the clock of this browser says', () => {
  const behind = linkUntil(NOW + 3 * 60 * MINUTE_MILLISECONDS);
  expect(isOld(behind, NOW)).toBe(false);
  expect(isOld(behind, NOW + 8.5 * MINUTE_MILLISECONDS)).toBe(true);
});

test('a link that has run out is old at once', () => {
  expect(isOld(linkUntil(NOW - 1000), NOW)).toBe(true);
});
