import { expect, test } from 'vitest';
import { zipKey } from './zip-key.ts';

test.each([
  ['a US zip and its ZIP+4', '62704', '62704-1234'],
  ['a zip that lost its leading zero', '02113', '2113'],
  ['spaces and case of a Canadian code', 'T6G 2C7', 't6g2c7'],
  ['hyphens of a Brazilian code', '01007-010', '01007010'],
  ['a ZIP+4 without its hyphen', '021131234', '02113'],
])('%s compare as equal', (_what, one, other) => {
  expect(zipKey(one)).toBe(zipKey(other));
});

test.each([
  ['different zips', '62704', '62705'],
  ['a zip and its first digits', '62704', '6270'],
  ['letters and no letters', 'T6G 2C7', 'T6G 2C'],
])('%s compare as different', (_what, one, other) => {
  expect(zipKey(one)).not.toBe(zipKey(other));
});

test.each(['', '   ', '--'])('reads %j as no code', (blank) => {
  expect(zipKey(blank)).toBeNull();
});
