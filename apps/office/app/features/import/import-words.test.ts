import { expect, test } from 'vitest';
import { sizeWords } from './import-words.ts';

test.each([
  [0, 0, '0 of 0 kB'],
  [0, 300, '0 of 1 kB'],
  [300, 300, '1 of 1 kB'],
  [512, 12_288, '1 of 12 kB'],
  [1_048_575, 1_048_575, '1024 of 1024 kB'],
  [524_288, 1_048_576, '0.5 of 1.0 MB'],
  [1_258_291, 67_108_864, '1.2 of 64.0 MB'],
])('%d of %d bytes are said to be %s', (part, whole, words) => {
  expect(sizeWords(part, whole)).toBe(words);
});
