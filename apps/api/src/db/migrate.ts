import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { DrizzleQueryError } from 'drizzle-orm';
import { readMigrationFiles } from 'drizzle-orm/migrator';
import { drizzle } from 'drizzle-orm/node-postgres';
import { migrate as runMigrations } from 'drizzle-orm/node-postgres/migrator';
import type pg from 'pg';
import type { Logger } from 'pino';
import type { CrashHook } from '../crash-points.ts';
import { ADVISORY_LOCKS } from './advisory-locks.ts';
import { sqlState } from './client.ts';
import { buildIndexes } from './prepare/build-indexes.ts';
import { connectToPrepare } from './prepare/connect-to-prepare.ts';

const migrationsFolder = fileURLToPath(new URL('./migrations', import.meta.url));

/** Whoever needs a table queues behind a migration that waits for it, and gives up after three seconds. */
const LOCK_MILLISECONDS = 2_000;
/** Between two attempts, those who queued are served. */
const PAUSE_MILLISECONDS = 5_000;
/** Longer than an import or an export may take. */
const ATTEMPTS_MILLISECONDS = 20 * 60_000;
/** Others held a lock for too long, or waited for ours as we did for theirs. */
const RETRIED = new Set(['55P03', '40P01']);

/** Migrates, and builds missing indexes. Leaves a database alone that a newer release has migrated. */
export async function migrate(
  databaseUrl: string,
  { crashPoint = () => {}, log }: { crashPoint?: CrashHook; log?: Pick<Logger, 'warn'> | undefined } = {},
): Promise<void> {
  const client = await connectToPrepare(databaseUrl);
  try {
    await client.query('SELECT pg_advisory_lock($1)', [ADVISORY_LOCKS.migration]);
    crashPoint('34-inside-migration');
    await refuseLeftOut(client);
    await runPatiently(client, log);
    // Release first: instances waiting for this lock would block the concurrent index builds.
    await client.query('SELECT pg_advisory_unlock($1)', [ADVISORY_LOCKS.migration]);
    await buildIndexes(client, { isNewer: () => isNewer(client) });
  } finally {
    await client.end();
  }
}

/** Migrates as soon as nobody else, such as a long export, uses what the migration changes; nobody waits for that. */
async function runPatiently(client: pg.Client, log: Pick<Logger, 'warn'> | undefined): Promise<void> {
  const end = performance.now() + ATTEMPTS_MILLISECONDS;
  await client.query(`SET lock_timeout = ${LOCK_MILLISECONDS}`);
  for (;;) {
    try {
      await runMigrations(drizzle(client), { migrationsFolder });
      break;
    } catch (error) {
      const code = sqlState(error) ?? '';
      if (!RETRIED.has(code) || performance.now() > end) throw withReason(error);
      log?.warn({ code }, 'the migration waits until a table is free');
      await wait(PAUSE_MILLISECONDS);
    }
  }
  await client.query('RESET lock_timeout');
}

/** Drizzle's own message is the whole file, without what the database has against it. */
function withReason(error: unknown): unknown {
  if (!(error instanceof DrizzleQueryError) || error.cause === undefined) return error;
  const failed = readMigrationFiles({ migrationsFolder }).find(({ sql }) => sql.includes(error.query));
  const what = failed === undefined ? '' : `Migration ${failed.folderMillis} failed: `;
  return new Error(`${what}${error.cause.message}`, { cause: error });
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
