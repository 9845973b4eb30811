import { fileURLToPath } from 'node:url';
import { readMigrationFiles } from 'drizzle-orm/migrator';
import { drizzle } from 'drizzle-orm/node-postgres';
import { migrate as runMigrations } from 'drizzle-orm/node-postgres/migrator';
import pg from 'pg';
import type { CrashHook } from '../crash-points.ts';
import { ADVISORY_LOCKS } from './advisory-locks.ts';
import { buildIndexes } from './prepare/build-indexes.ts';

const migrationsFolder = fileURLToPath(new URL('./migrations', import.meta.url));

/** Migrates, and builds missing indexes. Leaves a database alone that a newer release has migrated. */
export async function migrate(databaseUrl: string, crashPoint: CrashHook = () => {}): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await client.query('SELECT pg_advisory_lock($1)', [ADVISORY_LOCKS.migration]);
    crashPoint('34-inside-migration');
    await refuseLeftOut(client);
    await runMigrations(drizzle(client), { migrationsFolder });
    // Release first: instances waiting for this lock would block the concurrent index builds.
    await client.query('SELECT pg_advisory_unlock($1)', [ADVISORY_LOCKS.migration]);
    await buildIndexes(client, { isNewer: () => isNewer(client) });
  } finally {
    await client.end();
  }
}

/** Whether a newer release has migrated this database. Its indexes and rights are then none of this one's business. */
export async function isNewer(client: pg.Client): Promise<boolean> {
  return Math.max(...(await listApplied(client))) > Math.max(...listKnown());
}

const listKnown = () => readMigrationFiles({ migrationsFolder }).map(({ folderMillis }) => folderMillis);

async function listApplied(client: pg.Client): Promise<Set<number>> {
  const { rows: tables } = await client.query(
    `SELECT FROM pg_tables WHERE schemaname = 'drizzle' AND tablename = '__drizzle_migrations'`,
  );
  if (tables.length === 0) return new Set();
  const { rows } = await client.query<{ created_at: string }>(
    'SELECT created_at FROM drizzle.__drizzle_migrations',
  );
  return new Set(rows.map((row) => Number(row.created_at)));
}

/**
 * Drizzle runs only what is newer than the newest migration that was applied. One that came later with a lower number
 * would be left out for good, and the portal would run on tables that it doesn't know.
 */
async function refuseLeftOut(client: pg.Client): Promise<void> {
  const applied = await listApplied(client);
  const newest = Math.max(...applied);
  const leftOut = listKnown().filter((number) => number < newest && !applied.has(number));
  if (leftOut.length > 0) {
    throw new Error(
      `Migration ${leftOut.join(', ')} would be left out: this database already has ${newest}. Give it a higher number, or make the database anew.`,
    );
  }
}
