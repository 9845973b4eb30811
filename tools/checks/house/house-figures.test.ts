import { expect, test } from 'vitest';
import { checkHouse, largestFolder } from './house-figures.ts';

test('the largest folder is the one with the most files of its own', () => {
  expect(largestFolder(['a/one.ts', 'a/two.ts', 'a/b/three.ts', 'c/four.ts'])).toEqual({
    folder: 'a',
    count: 2,
  });
});

test('a figure that is too large fails, and every figure is said', () => {
  const figures = [
    { name: 'rooms', value: 3, most: 3 },
    { name: 'circles', value: 1, most: 0 },
  ];
  expect(checkHouse(figures)).toEqual({
    passed: 1,
    failed: 1,
    output: '  1 (at most 0): circles',
    figures: ['  3 (at most 3): rooms', '  1 (at most 0): circles'],
  });
});

test('every figure of this checkout is within its limit', () => {
  expect(checkHouse().output).toBe('');
});
