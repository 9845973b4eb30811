import pg from 'pg';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { beforeMigration } from '../../../test/database/before-migration.ts';
import { createTestDatabase } from '../../../test/database/postgres.ts';

const DAY_SECONDS = 86_400;

let admin: pg.Client;
let other: pg.Client;
let drop: () => Promise<void>;

beforeAll(async () => {
  const database = await createTestDatabase();
  drop = database.drop;
  [admin, other] = await Promise.all([connect(database.url), connect(database.url)]);
});
afterAll(async () => {
  await admin.end();
  await other.end();
  await drop();
});
beforeEach(async () => {
  await admin.query('TRUNCATE engine_clock');
  await admin.query('ALTER SEQUENCE engine_clock_moved RESTART');
});

async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  return client;
}

const SET_TO_TOMORROW = `INSERT INTO engine_clock (ahead) VALUES (interval '1 day')`;

async function secondsAhead(client: pg.Client): Promise<number> {
  const { rows } = await client.query({
    name: 'ahead',
    text: 'SELECT round(extract(epoch FROM engine_now() - clock_timestamp()))::integer AS ahead',
  });
  return rows[0].ahead;
}

test('a clock that was never set is the database’s, and is set for all at the commit', async () => {
  expect(await secondsAhead(other)).toBe(0);
  await admin.query(`BEGIN; ${SET_TO_TOMORROW}`);
  expect(await secondsAhead(admin)).toBe(DAY_SECONDS);
  expect(await secondsAhead(other)).toBe(0);
  await admin.query('COMMIT');
  expect(await secondsAhead(other)).toBe(DAY_SECONDS);
  await admin.query(`UPDATE engine_clock SET ahead = interval '2 days'`);
  expect(await secondsAhead(other)).toBe(2 * DAY_SECONDS);
  await admin.query('DELETE FROM engine_clock');
  expect(await secondsAhead(other)).toBe(0);
});

test('a clock that is not set after all stays as it was', async () => {
  await admin.query(`BEGIN; ${SET_TO_TOMORROW}; ROLLBACK`);
  expect(await secondsAhead(other)).toBe(0);
});

test('a clock counts that is put back with triggers off', async () => {
  await admin.query(`BEGIN; SET LOCAL session_replication_role = replica; ${SET_TO_TOMORROW}; COMMIT`);
  expect(await secondsAhead(other)).toBe(DAY_SECONDS);
});

test('a role without any right to the clock’s sequence is told of it', async () => {
  const role = `clock_reader_${process.pid}`;
  await admin.query(SET_TO_TOMORROW);
  await admin.query(
    `CREATE ROLE ${role}; GRANT USAGE ON SCHEMA public TO ${role}; GRANT SELECT ON engine_clock TO ${role}`,
  );
  try {
    await other.query(`SET ROLE ${role}`);
    expect(await secondsAhead(other)).toBe(DAY_SECONDS);
  } finally {
    await other.query('RESET ROLE');
    await admin.query(`DROP OWNED BY ${role}; DROP ROLE ${role}`);
  }
});

test('a look at the clock is part of the statement that asks, not a statement of its own', async () => {
  const { rows } = await admin.query('EXPLAIN (VERBOSE, FORMAT JSON) SELECT engine_now()');
  expect(JSON.stringify(rows)).not.toContain('engine_now()');
});

test('a clock that was set before this version stays set', async () => {
  await beforeMigration('0051-unmoved-clock.sql', async ({ admin, migrate }) => {
    await admin.query(SET_TO_TOMORROW);
    await migrate();
    expect(await secondsAhead(admin)).toBe(DAY_SECONDS);
  });
});

test('every instant that the database fills in by itself goes by it', async () => {
  const { rows } = await admin.query<{ column: string }>(`
    SELECT concat(d.adrelid::regclass, '.', a.attname) AS column
      FROM pg_attrdef d
      JOIN pg_class c ON c.oid = d.adrelid AND c.relnamespace = 'public'::regnamespace
      JOIN pg_attribute a ON a.attrelid = d.adrelid AND a.attnum = d.adnum
     WHERE pg_get_expr(d.adbin, d.adrelid) ~ '\\m(clock_timestamp|statement_timestamp|now)\\(|CURRENT_'`);
  expect(rows).toEqual([]);
});
