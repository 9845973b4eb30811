import { expect, test } from 'vitest';
import { byWords } from './by-words.ts';

test.each([
  ['Olive Reyes', 'Olive Reyes'],
  ['key:Nightly import', 'Key Nightly import'],
  ['portal', 'the portal'],
  ['payer', 'the payer'],
  ['office', 'the office'],
])('%s is written as %s', (by, words) => {
  expect(byWords(by)).toBe(words);
});
