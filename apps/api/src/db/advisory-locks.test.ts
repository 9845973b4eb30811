import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../test/database/postgres.ts';
import { lockImports } from '../modules/office/import/import.queries.ts';
import { ADVISORY_LOCKS } from './advisory-locks.ts';
import { openDatabase } from './client.ts';
import { migrate } from './migrate.ts';
import { grantReaderRights } from './prepare/grant-rights.ts';

const source = fileURLToPath(new URL('..', import.meta.url));

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

test('every use has its own number', () => {
  const numbers = Object.values(ADVISORY_LOCKS);
  expect(new Set(numbers).size).toBe(numbers.length);
});

test('every lock taken is in the list', () => {
  const calls = readdirSync(source, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(ts|sql)$/.test(name) && !name.endsWith('.test.ts'))
    .flatMap((name) => readFileSync(`${source}/${name}`, 'utf8').split('\n'))
    .filter((line) => /pg_(try_)?advisory_/.test(line));
  expect(calls.length).toBeGreaterThanOrEqual(3);
  expect(calls.filter((line) => !line.includes('ADVISORY_LOCKS.'))).toEqual([]);
});

test('an instance can start while an import is applied', async () => {
  const importing = openDatabase({ url: database.url, poolSize: 1 });
  const admin = new pg.Client({ connectionString: database.url });
  await admin.connect();
  try {
    await importing.transaction(async (tx) => {
      await lockImports(tx);
      await migrate(database.url);
      // A held lock fails the test instead of hanging it.
      const url = new URL(database.url);
      url.searchParams.set('options', '-c lock_timeout=200');
      const { rows } = await admin.query<{ name: string }>('SELECT current_user AS name');
      const granted = grantReaderRights({ ownerUrl: url.href, role: rows[0]?.name ?? '' });
      await expect(granted).resolves.toBeUndefined();
    });
  } finally {
    await admin.end();
    await importing.close();
  }
});
