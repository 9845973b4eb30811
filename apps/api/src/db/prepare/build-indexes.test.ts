import pg from 'pg';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../test/database/postgres.ts';
import { migrate } from '../migrate.ts';
import { CONCURRENT_INDEXES } from './concurrent-indexes.ts';

let database: TestDatabase;
let admin: pg.Client;

beforeEach(async () => {
  database = await createTestDatabase();
  admin = new pg.Client({ connectionString: database.url });
  await admin.connect();
});
afterEach(async () => {
  await admin.end();
  await database.drop();
});

async function listValid(): Promise<string[]> {
  const { rows } = await admin.query<{ name: string }>(
    `SELECT c.relname AS name FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
      WHERE i.indisvalid AND c.relname = ANY($1)`,
    [CONCURRENT_INDEXES.map(({ name }) => name)],
  );
  return rows.map(({ name }) => name).sort();
}

const ALL = CONCURRENT_INDEXES.map(({ name }) => name).sort();

test('builds missing indexes at start, however many instances start at once', async () => {
  expect(await listValid()).toEqual(ALL);
  await admin.query('DROP INDEX customer_by_name, open_invoice_by_due');
  await Promise.all([migrate(database.url), migrate(database.url), migrate(database.url)]);
  expect(await listValid()).toEqual(ALL);
});

test('rebuilds an index that a killed instance left half built', async () => {
  await admin.query(`UPDATE pg_index SET indisvalid = false WHERE indexrelid = 'customer_by_name'::regclass`);
  expect(await listValid()).not.toContain('customer_by_name');
  await migrate(database.url);
  expect(await listValid()).toEqual(ALL);
});

test('does not block writers of the table', async () => {
  await admin.query('DROP INDEX customer_by_name');
  const writer = new pg.Client({ connectionString: database.url });
  await writer.connect();
  await writer.query('BEGIN');
  await writer.query(`INSERT INTO franchise (id, name, time_zone) VALUES (1, 'One', 'UTC')`);
  await writer.query(`INSERT INTO customer (franchise_id, number, name) VALUES (1, 1, 'One')`);
  const started = migrate(database.url);
  // The build waits for the first writer; another writer waits for neither.
  await expect
    .poll(async () => (await admin.query(`SELECT FROM pg_stat_progress_create_index`)).rowCount)
    .toBe(1);
  await admin.query(`SET lock_timeout = '5s'`);
  await admin.query(`INSERT INTO franchise (id, name, time_zone) VALUES (2, 'Two', 'UTC')`);
  await admin.query(`INSERT INTO customer (franchise_id, number, name) VALUES (2, 2, 'Two')`);
  await writer.query('COMMIT');
  await writer.end();
  await started;
  expect(await listValid()).toEqual(ALL);
});

test('finds along an index whatever refers to an account, so that removing one reads no whole table', async () => {
  const { rows } = await admin.query<{ at: string; column: string }>(
    `SELECT conrelid::regclass AS at, attname AS column FROM pg_constraint
       JOIN pg_attribute ON attrelid = conrelid AND attnum = conkey[1]
      WHERE contype = 'f' AND confrelid = 'app_user'::regclass`,
  );
  await admin.query('SET enable_seqscan = off');
  const unindexed: string[] = [];
  for (const { at, column } of rows) {
    // As Postgres asks for a foreign key.
    const plan = await admin.query(
      `EXPLAIN SELECT 1 FROM ONLY ${at} x WHERE '00000000-0000-4000-8000-000000000000' = ${column} FOR KEY SHARE OF x`,
    );
    if (!JSON.stringify(plan.rows).includes('Index Cond')) unindexed.push(`${at}.${column}`);
  }
  expect(rows.length).toBeGreaterThan(5);
  expect(unindexed).toEqual([]);
});
