import { sql } from 'drizzle-orm';
import type { Database } from './client.ts';

/**
 * Resolves once everything read so far is durable. A commit whose wait for the standby was cut short is visible to all
 * but would be lost with its server; a later commit is acknowledged only when the standby has both.
 */
export async function confirmSeen(db: Pick<Database, 'transaction'>): Promise<void> {
  await db.transaction((tx) => tx.execute(sql`SELECT pg_logical_emit_message(true, 'brightpane', 'seen')`));
}
