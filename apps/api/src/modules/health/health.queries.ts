import { sql } from 'drizzle-orm';
import type { Queryable } from '../../db/client.ts';

/** Throws if the database doesn't answer or lacks our schema. */
export async function touchSchema(db: Queryable): Promise<void> {
  await db.execute(sql`SELECT FROM invoice LIMIT 1`);
}
