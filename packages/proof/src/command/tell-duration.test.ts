import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from '../../../../tools/root.ts';
import { withDuration } from './tell-duration.ts';

test('fills in the duration, and again after the next proof', () => {
  const text = 'for <!-- proof takes -->long<!-- / -->, in short';
  const filled = 'for <!-- proof takes -->67 minutes on 2 cores<!-- / -->, in short';
  expect(withDuration(text, { seconds: 4_049, cores: 2 })).toBe(filled);
  expect(withDuration(filled, { seconds: 4_049, cores: 2 })).toBe(filled);
});

test.each(['README.md', 'docs/money-safety.md'])('%s has a place for it', (document) => {
  const text = readFileSync(join(root, document), 'utf8');
  expect(withDuration(text, { seconds: 60, cores: 8 })).toContain('1 minutes on 8 cores');
});
