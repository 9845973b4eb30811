import { type SQL, sql } from 'drizzle-orm';
import type { Queryable } from '../client.ts';
import { query } from '../query.ts';
import { inBatches } from './in-batches.ts';

/** Deletes rows of a table in batches. An index on the column `oldestBy` has to find those that `where` describes. */
export async function removeOld(
  db: Queryable,
  { from, where, oldestBy }: { from: string; where: SQL; oldestBy: string },
): Promise<void> {
  const table = sql.raw(from);
  await inBatches(async (most) => {
    // The condition is asked again of a row that somebody has changed meanwhile.
    const removed = await query(db)`
      DELETE FROM ${table} WHERE ${where} AND ctid = ANY(ARRAY(
        SELECT ctid FROM ${table} WHERE ${where} ORDER BY ${sql.raw(oldestBy)} LIMIT ${most}))
      RETURNING 1`;
    return removed.length;
  });
}
