import { type SQL, sql } from 'drizzle-orm';
import type { Queryable } from '../../../db/client.ts';
import { onlyRow, query } from '../../../db/query.ts';
import { creditsToLookAt } from '../../payments/engine/credits.queries.ts';
import { cameToNothing, isInReview } from '../../payments/refunds/refunds-left.queries.ts';
import { isOverpaid } from '../invoices/invoice-row.queries.ts';

/** Reads no more of `rows` than it counts. */
async function countUpTo(db: Queryable, most: number, rows: SQL): Promise<number> {
  const counted = await query<{ count: number }>(db)`
    SELECT count(*)::integer AS count FROM (${rows} LIMIT ${most}) AS waiting`;
  return onlyRow(counted).count;
}

/** Reads each table's index of open rows, up to `most`. */
export const countInReview = (db: Queryable, { most }: { most: number }): Promise<number> =>
  countUpTo(
    db,
    most,
    sql`
      (SELECT FROM charge WHERE review_since IS NOT NULL LIMIT ${most})
      UNION ALL (SELECT FROM found_payment WHERE settled_at IS NULL LIMIT ${most})
      UNION ALL (SELECT FROM book_difference WHERE acknowledged_at IS NULL LIMIT ${most})`,
  );

type Asked = { actorId: string; most: number };

/**
 * In the order of the overpaid invoices' index: the planner expects a third of all invoices to be overpaid, and would
 * otherwise read the table.
 */
export const countOverpaid = (db: Queryable, { actorId, most }: Asked): Promise<number> =>
  countUpTo(
    db,
    most,
    sql`
      SELECT FROM visible_franchise v
       CROSS JOIN LATERAL (
         SELECT FROM invoice i WHERE i.franchise_id = v.franchise_id AND ${isOverpaid}
          ORDER BY i.work_order_number LIMIT ${most}) AS overpaid
       WHERE v.actor_id = ${actorId}`,
  );

/** Matches the refund list's filter: refunds that need an approval or a person. */
export const countRefundsToDo = (db: Queryable, { actorId, most }: Asked): Promise<number> =>
  countUpTo(
    db,
    most,
    sql`
      SELECT FROM (
        SELECT r.id FROM refund_request q JOIN refund r ON r.request_id = q.id AND r.state = 'requested'
         WHERE q.needs_approval AND q.approved_at IS NULL
         UNION ALL
        SELECT r.id FROM refund r WHERE ${isInReview}
         UNION ALL
        SELECT r.id FROM refund r WHERE ${cameToNothing}) AS to_do
       WHERE EXISTS (
         SELECT FROM refund_line l
           JOIN invoice i ON i.id = l.invoice_id
           JOIN visible_franchise v ON v.franchise_id = i.franchise_id AND v.actor_id = ${actorId}
          WHERE l.refund_id = to_do.id)`,
  );

/** Credits that couldn't be mailed and that nobody has looked at. */
export const countCreditsToLookAt = (db: Queryable, { actorId, most }: Asked): Promise<number> =>
  countUpTo(
    db,
    most,
    sql`
      SELECT FROM ${creditsToLookAt}
        JOIN invoice i ON i.id = u.invoice_id
        JOIN visible_franchise v ON v.franchise_id = i.franchise_id AND v.actor_id = ${actorId}`,
  );
