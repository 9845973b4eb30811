import { setTimeout as wait } from 'node:timers/promises';
import type pg from 'pg';
import { ADVISORY_LOCKS } from '../advisory-locks.ts';
import { CONCURRENT_INDEXES, type ConcurrentIndex } from './concurrent-indexes.ts';

const ASK_AGAIN_MILLISECONDS = 100;

/**
 * Builds missing indexes, and rebuilds those that a killed instance left half built; but none on the database of a newer
 * release, which may have dropped them.
 */
export async function buildIndexes(
  client: pg.Client,
  { isNewer }: { isNewer: () => Promise<boolean> },
): Promise<void> {
  if ((await listMissing(client)).length === 0) return;
  await takeLock(client);
  const missing = await listMissing(client);
  // Asked after what is missing: an index that a newer release dropped in between isn't missed.
  for (const { name, on } of (await isNewer()) ? [] : missing) {
    await client.query(`DROP INDEX CONCURRENTLY IF EXISTS ${name}`);
    await client.query(`CREATE INDEX CONCURRENTLY ${name} ON ${on}`);
  }
  await client.query('SELECT pg_advisory_unlock($1)', [ADVISORY_LOCKS.indexes]);
}

/** Polls for the lock: the index build would wait for a statement that waits for the lock. */
async function takeLock(client: pg.Client): Promise<void> {
  for (;;) {
    const { rows } = await client.query<{ taken: boolean }>(
      `SELECT pg_try_advisory_lock(${ADVISORY_LOCKS.indexes}) AS taken`,
    );
    if (rows[0]?.taken) return;
    await wait(ASK_AGAIN_MILLISECONDS);
  }
}

async function listMissing(client: pg.Client): Promise<ConcurrentIndex[]> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT c.relname AS name FROM pg_class c JOIN pg_index i ON i.indexrelid = c.oid
      WHERE c.relnamespace = 'public'::regnamespace AND i.indisvalid AND c.relname = ANY($1)`,
    [CONCURRENT_INDEXES.map(({ name }) => name)],
  );
  const built = new Set(rows.map(({ name }) => name));
  return CONCURRENT_INDEXES.filter(({ name }) => !built.has(name));
}
