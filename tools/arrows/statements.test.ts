import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from '../root.ts';
import { listSources } from './list-sources.ts';

/** Importing a statement's types is fine; importing a value means making statements. */
const MAKES_STATEMENTS = /^import (?!type )[^;]*(?:\bsql\b[^;]*from 'drizzle-orm|from '[^']*\/db\/schema\/)/m;

test('statements stand in files of queries, and beside the database itself', () => {
  const files = listSources(root).filter((file) => file.startsWith('apps/api/src/'));
  const elsewhere = files
    .filter((file) => !file.endsWith('.queries.ts') && !file.startsWith('apps/api/src/db/'))
    .filter((file) => MAKES_STATEMENTS.test(readFileSync(join(root, file), 'utf8')));
  expect(files.length).toBeGreaterThan(300);
  expect(elsewhere).toEqual([]);
});
