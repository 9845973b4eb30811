import { expect, test } from 'vitest';
import { tenSlowest } from './slowest-files.ts';

test('names the ten slowest files, slowest first', () => {
  const files = Array.from({ length: 12 }, (_, n) => ({ file: `${n}.test.ts`, seconds: n }));
  const lines = tenSlowest(files).trimEnd().split('\n');
  expect(lines).toHaveLength(11);
  expect(lines[1]).toMatch(/11\.0 s {2}11\.test\.ts$/);
  expect(lines[10]).toMatch(/2\.0 s {2}2\.test\.ts$/);
});

test('says nothing when no test ran', () => {
  expect(tenSlowest([])).toBe('');
});
