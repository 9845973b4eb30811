import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from '../root.ts';
import { listSources } from './list-sources.ts';

/** Importing a statement's types is fine; importing a value means making statements. */
const MAKES_STATEMENTS =
  /^import (?!type )[^;]*(?:\bsql\b[^;]*from 'drizzle-orm|from '[^']*\/db\/(?:schema\/|query\.ts))/m;

/** The driver, and what Drizzle runs or builds beside `sql`; its error is what a failed statement is told with. */
const RUNS_OTHERWISE = [
  /^import (?!type )[^;]*from '(?:pg|pg-copy-streams|drizzle-orm\/[^']*)'/m,
  /^import (?!type )[^;]*\bclientOf\b/m,
  /^import (?!type )\{(?! (?:type SQL, )?sql \}| DrizzleQueryError \})[^;]*from 'drizzle-orm'/m,
  /\b(?:db|tx|query|session|snapshot|pool)\s*\.(?:execute|select|selectDistinct\w*|insert|update|delete|with|\$count|query)\(/,
];

test('statements stand in files of queries, and beside the database itself', () => {
  const files = listSources(root).filter((file) => file.startsWith('apps/api/src/'));
  const elsewhere = files
    .filter((file) => !file.endsWith('.queries.ts') && !file.startsWith('apps/api/src/db/'))
    .filter((file) => MAKES_STATEMENTS.test(readFileSync(join(root, file), 'utf8')));
  expect(files.length).toBeGreaterThan(300);
  expect(elsewhere).toEqual([]);
});

test('outside of the database itself, `query` alone runs a statement', () => {
  const files = listSources(root).filter(
    (file) => file.startsWith('apps/api/src/') && !file.startsWith('apps/api/src/db/'),
  );
  const otherwise = files.filter((file) => {
    const source = readFileSync(join(root, file), 'utf8');
    return RUNS_OTHERWISE.some((way) => way.test(source));
  });
  expect(otherwise).toEqual([]);
});

test.each([
  "import { eq, sql } from 'drizzle-orm';",
  "import pg from 'pg';",
  "import { clientOf } from '../../db/client.ts';",
  'const { rows } = await tx.execute(sql`SELECT 1`);',
  'return deps.db.query.select().from(franchise);',
  "await deps.db.pool.query('SELECT 1');",
])('%s is another way to run one', (line) => {
  expect(RUNS_OTHERWISE.some((way) => way.test(line))).toBe(true);
});
