import { sql } from 'drizzle-orm';
import type { Queryable } from '../../../db/client.ts';
import { isOverpaid } from '../invoices/invoice-row.queries.ts';

/** Each table has an index of what is open, and is read no further than `most`. */
export async function countInReview(db: Queryable, { most }: { most: number }): Promise<number> {
  const { rows } = await db.execute<{ count: number }>(sql`
    SELECT count(*)::integer AS count FROM (
      (SELECT FROM charge WHERE review_since IS NOT NULL LIMIT ${most})
      UNION ALL (SELECT FROM found_payment WHERE settled_at IS NULL LIMIT ${most})
      UNION ALL (SELECT FROM book_difference WHERE acknowledged_at IS NULL LIMIT ${most})
      LIMIT ${most}) AS waiting`);
  return rows[0]?.count ?? 0;
}

export async function countOverpaid(
  db: Queryable,
  { actorId, most }: { actorId: string; most: number },
): Promise<number> {
  const { rows } = await db.execute<{ count: number }>(sql`
    SELECT count(*)::integer AS count FROM (
      SELECT FROM visible_franchise v
        JOIN invoice i ON i.franchise_id = v.franchise_id AND ${isOverpaid}
       WHERE v.actor_id = ${actorId} LIMIT ${most}) AS waiting`);
  return rows[0]?.count ?? 0;
}
