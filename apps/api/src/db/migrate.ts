import { fileURLToPath } from 'node:url';
import { drizzle } from 'drizzle-orm/node-postgres';
import { migrate as runMigrations } from 'drizzle-orm/node-postgres/migrator';
import { runMigrations as runWorkerMigrations } from 'graphile-worker';
import pg from 'pg';
import type { CrashHook } from '../crash-points.ts';

const migrationsFolder = fileURLToPath(new URL('./migrations', import.meta.url));

/** Any number of instances may start at once: this lock lets one migrate while the others wait for it. */
const MIGRATION_LOCK = 7_302_119;

/** Brings a database up to date: our own schema and the job queue's. */
export async function migrate(databaseUrl: string, crashPoint: CrashHook = () => {}): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await client.query('SELECT pg_advisory_lock($1)', [MIGRATION_LOCK]);
    await runWorkerMigrations({ connectionString: databaseUrl });
    crashPoint('34-inside-migration');
    await runMigrations(drizzle(client), { migrationsFolder });
  } finally {
    await client.end();
  }
}
