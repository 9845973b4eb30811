import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { pino } from 'pino';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { COMPILED_SOURCES } from '../../../../tools/machine/compiled-sources.ts';
import { createEmptyDatabase, type TestDatabase } from '../../test/database/postgres.ts';
import { CRASH_POINTS } from '../crash-points.ts';
import { migrate } from './migrate.ts';

// Each test starts its own processes, on a machine that may be busy.
vi.setConfig({ testTimeout: 120_000 });

const PROCESS = fileURLToPath(new URL('../../test/database/migrate-process.ts', import.meta.url));
const FOLDER = new URL('./migrations/', import.meta.url);
const MIGRATIONS = readdirSync(FOLDER).filter((name) => name.endsWith('.sql'));

let database: TestDatabase;
let admin: pg.Client;

beforeEach(async () => {
  database = await createEmptyDatabase();
  admin = new pg.Client({ connectionString: database.url });
  await admin.connect();
});

afterEach(async () => {
  await admin.end();
  await database.drop();
});

/** Starts an instance. Returns how its migration ended; `name` marks its connections. */
function startMigrating(name: string, crashAt = '') {
  const child = fork(PROCESS, {
    env: {
      DATABASE_URL: database.url,
      PGAPPNAME: name,
      CRASH_AT: crashAt,
      NODE_COMPILE_CACHE: COMPILED_SOURCES,
    },
  });
  return { child, ended: once(child, 'exit').then(([code, signal]) => signal ?? code) };
}

async function expectMigratedOnce(): Promise<void> {
  const { rows } = await admin.query('SELECT count(*)::integer AS done FROM drizzle.__drizzle_migrations');
  expect(rows).toEqual([{ done: MIGRATIONS.length }]);
  expect((await admin.query('SELECT * FROM invariant_violations')).rows).toEqual([]);
}

test.each(Object.keys(CRASH_POINTS.start))(
  'migrates once if two instances start and one is killed at %s',
  async (point) => {
    const killed = startMigrating('killed', point);
    const lives = startMigrating('lives');
    // The second instance finds everything still to do, or nothing.
    expect(await killed.ended).toBe('SIGKILL');
    expect(await lives.ended).toBe(0);
    await expectMigratedOnce();
  },
);

test('migrates once if an instance is killed during a migration while another waits', async () => {
  // Blocks whoever creates the charge table, in the middle of the migrations.
  await admin.query('SELECT pg_advisory_lock(1)');
  await admin.query(`
    CREATE FUNCTION hold_migration() RETURNS event_trigger LANGUAGE plpgsql AS $$
    BEGIN
      IF to_regclass('public.charge') IS NOT NULL THEN PERFORM pg_advisory_lock(1); END IF;
    END $$`);
  await admin.query(`
    CREATE EVENT TRIGGER hold_migration ON ddl_command_end WHEN TAG IN ('CREATE TABLE')
      EXECUTE FUNCTION hold_migration()`);
  const first = startMigrating('first');
  await waitUntilBlocked('first');
  const second = startMigrating('second');
  await waitUntilBlocked('second');
  first.child.kill('SIGKILL');
  expect(await first.ended).toBe('SIGKILL');
  await admin.query(`SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity
                      WHERE application_name = 'first'`);
  await admin.query('SELECT pg_advisory_unlock(1)');
  expect(await second.ended).toBe(0);
  await admin.query('DROP EVENT TRIGGER hold_migration');
  await expectMigratedOnce();
});

test('refuses a migration that came later with a lower number, instead of leaving it out', async () => {
  await migrate(database.url);
  await admin.query(`DELETE FROM drizzle.__drizzle_migrations WHERE created_at = '60'`);
  await expect(migrate(database.url)).rejects.toThrow('Migration 60 would be left out');
});

test('says which migration failed and why, in one line', async () => {
  await migrateUntil('0079');
  await admin.query('ALTER TABLE restore_notice ADD COLUMN epoch uuid');
  await expect(migrate(database.url)).rejects.toThrow(
    new Error('Migration 79 failed: column "epoch" of relation "restore_notice" already exists'),
  );
});

test('says why nothing can be migrated', async () => {
  await admin.query(
    `DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET default_transaction_read_only = on', current_database()); END $$`,
  );
  await expect(migrate(database.url)).rejects.toThrow(
    new Error('cannot execute CREATE SCHEMA in a read-only transaction'),
  );
});

test('runs on a database that a newer release has migrated, and builds no index that this may have dropped', async () => {
  await migrate(database.url);
  await admin.query(`INSERT INTO drizzle.__drizzle_migrations (hash, created_at) VALUES ('later', 9999)`);
  await admin.query('DROP INDEX customer_by_name');
  await migrate(database.url);
  expect((await admin.query(`SELECT to_regclass('customer_by_name') AS built`)).rows).toEqual([
    { built: null },
  ]);
});

test('nobody waits long behind a migration that waits for a long reader, and it ends once that has', async () => {
  await migrateUntil('0057');
  const [longReader, payer] = await Promise.all([connect(), connect('-c lock_timeout=3s')]);
  await longReader.query('BEGIN');
  await longReader.query('SELECT FROM invoice');
  const said: string[] = [];
  const log = pino({}, { write: (line: string) => said.push(JSON.parse(line).msg) });
  const migrating = migrate(database.url, { log });
  try {
    await vi.waitUntil(async () => {
      const waiting = `SELECT FROM pg_locks WHERE relation = 'invoice'::regclass AND NOT granted
                        AND mode = 'AccessExclusiveLock'`;
      return (await admin.query(waiting)).rows.length > 0;
    }, 60_000);
    await payer.query('SELECT FROM invoice');
    await vi.waitUntil(() => said.length > 0, 60_000);
  } finally {
    await Promise.all([longReader.end(), payer.end()]);
    await migrating;
  }
  expect(new Set(said)).toEqual(new Set(['the migration waits until a table is free']));
  await expectMigratedOnce();
});

async function connect(options = ''): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: database.url, options });
  await client.connect();
  return client;
}

/** As an earlier release left the database, which knew no migration from this one on. */
async function migrateUntil(name: string): Promise<void> {
  const earlier = MIGRATIONS.filter((file) => file < name).toSorted();
  for (const file of earlier) await admin.query(readFileSync(new URL(file, FOLDER), 'utf8'));
  await admin.query('CREATE SCHEMA drizzle');
  await admin.query(
    'CREATE TABLE drizzle.__drizzle_migrations (id serial PRIMARY KEY, hash text NOT NULL, created_at bigint)',
  );
  await admin.query(
    `INSERT INTO drizzle.__drizzle_migrations (hash, created_at) SELECT '', number FROM unnest($1::bigint[]) AS number`,
    [earlier.map((file) => Number.parseInt(file, 10))],
  );
}

async function waitUntilBlocked(name: string): Promise<void> {
  const isBlocked = async () => {
    const { rows } = await admin.query(
      `SELECT FROM pg_stat_activity WHERE application_name = $1 AND wait_event = 'advisory'`,
      [name],
    );
    return rows.length > 0;
  };
  await vi.waitUntil(isBlocked, 60_000);
}
