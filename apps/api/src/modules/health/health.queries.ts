import type { Queryable } from '../../db/client.ts';
import { query } from '../../db/query.ts';

/** Throws if the database doesn't answer or lacks our schema. */
export async function touchSchema(db: Queryable): Promise<void> {
  await query(db)`SELECT FROM invoice LIMIT 1`;
}
