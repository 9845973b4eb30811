import { expect, test } from 'vitest';
import { isTimeZone } from './time-zone.ts';

test.each([
  ['America/Chicago', true],
  ['America/Argentina/Buenos_Aires', true],
  ['US/Eastern', true],
  ['UTC', true],
  ['America/Springfield', false],
  ['Chicago', false],
  ['+05:00', false],
  ['', false],
  ['America/Chicago; DROP', false],
])('%s names a time zone: %s', (name, expected) => {
  expect(isTimeZone(name)).toBe(expected);
});
