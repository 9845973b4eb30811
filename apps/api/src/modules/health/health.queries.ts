import { sql } from 'drizzle-orm';
import type { Queryable } from '../../db/client.ts';

/** Throws where the database does not answer, or does not carry our schema. */
export async function touchSchema(db: Queryable): Promise<void> {
  await db.execute(sql`SELECT FROM invoice LIMIT 1`);
}
