import { fileURLToPath } from 'node:url';
import { drizzle } from 'drizzle-orm/node-postgres';
import { migrate as runMigrations } from 'drizzle-orm/node-postgres/migrator';
import pg from 'pg';
import type { CrashHook } from '../crash-points.ts';
import { ADVISORY_LOCKS } from './advisory-locks.ts';
import { buildIndexes } from './prepare/build-indexes.ts';

const migrationsFolder = fileURLToPath(new URL('./migrations', import.meta.url));

export async function migrate(databaseUrl: string, crashPoint: CrashHook = () => {}): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await client.query('SELECT pg_advisory_lock($1)', [ADVISORY_LOCKS.migration]);
    crashPoint('34-inside-migration');
    await runMigrations(drizzle(client), { migrationsFolder });
    // Release first: instances waiting for this lock would block the concurrent index builds.
    await client.query('SELECT pg_advisory_unlock($1)', [ADVISORY_LOCKS.migration]);
    await buildIndexes(client);
  } finally {
    await client.end();
  }
}
