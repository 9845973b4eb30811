import { expect, test } from 'vitest';
import { compareBuilds } from './build-payers-apart.ts';

const BUILT = { 'index.html': 'a', 'assets/entry-1.js': 'b' };

test('builds with the same bytes in the same files are the same', () => {
  expect(compareBuilds(BUILT, { ...BUILT })).toBe('2 files are the same without the console.');
});

test.each([
  ['other bytes', { ...BUILT, 'index.html': 'c' }, 'index.html'],
  ['a file more', { ...BUILT, 'assets/office-1.js': 'c' }, 'assets/office-1.js'],
  ['a file less', { 'index.html': 'a' }, 'assets/entry-1.js'],
])('%s are noticed', (_what, apart, name) => {
  expect(() => compareBuilds(BUILT, apart)).toThrow(`the payers' app is another: ${name}`);
});
