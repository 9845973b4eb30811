import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from '../root.ts';
import { LONG_TESTS } from './long-first.ts';

test.each(LONG_TESTS)('%s is there to be begun first', (file) => {
  expect(existsSync(join(root, file))).toBe(true);
});
