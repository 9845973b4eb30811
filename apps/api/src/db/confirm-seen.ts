import { sql } from 'drizzle-orm';
import type { Database } from './client.ts';

/**
 * Resolves once whatever this database shows is as safe as its own commits are. A commit whose wait for the standby was cut
 * short is seen by everybody, and lost with its server: a commit after it is answered only when the standby has both.
 */
export async function confirmSeen(db: Pick<Database, 'transaction'>): Promise<void> {
  await db.transaction((tx) => tx.execute(sql`SELECT pg_logical_emit_message(true, 'brightpane', 'seen')`));
}
