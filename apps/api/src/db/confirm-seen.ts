import type { Database } from './client.ts';
import { query } from './query.ts';

/**
 * Resolves once everything read so far is durable. A commit whose wait for the standby was cut short is visible to all
 * but would be lost with its server; a later commit is acknowledged only when the standby has both.
 */
export async function confirmSeen(db: Pick<Database, 'transaction'>): Promise<void> {
  await db.transaction((tx) => query(tx)`SELECT pg_logical_emit_message(true, 'brightpane', 'seen')`);
}
