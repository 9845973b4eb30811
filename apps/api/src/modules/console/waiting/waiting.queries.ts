import type { Queryable } from '../../../db/client.ts';
import { onlyRow, query } from '../../../db/query.ts';
import { cameToNothing, isInReview } from '../../payments/refunds/refunds-left.queries.ts';
import { isOverpaid } from '../invoices/invoice-row.queries.ts';

/** Reads each table's index of open rows, up to `most`. */
export async function countInReview(db: Queryable, { most }: { most: number }): Promise<number> {
  const row = onlyRow(
    await query<{ count: number }>(db)`
    SELECT count(*)::integer AS count FROM (
      (SELECT FROM charge WHERE review_since IS NOT NULL LIMIT ${most})
      UNION ALL (SELECT FROM found_payment WHERE settled_at IS NULL LIMIT ${most})
      UNION ALL (SELECT FROM book_difference WHERE acknowledged_at IS NULL LIMIT ${most})
      LIMIT ${most}) AS waiting`,
  );
  return row.count;
}

/**
 * In the order of the overpaid invoices' index: the planner expects a third of all invoices to be overpaid, and would
 * otherwise read the table.
 */
export async function countOverpaid(
  db: Queryable,
  { actorId, most }: { actorId: string; most: number },
): Promise<number> {
  const row = onlyRow(
    await query<{ count: number }>(db)`
    SELECT count(*)::integer AS count FROM (
      SELECT FROM visible_franchise v
       CROSS JOIN LATERAL (
         SELECT FROM invoice i WHERE i.franchise_id = v.franchise_id AND ${isOverpaid}
          ORDER BY i.work_order_number LIMIT ${most}) AS overpaid
       WHERE v.actor_id = ${actorId} LIMIT ${most}) AS waiting`,
  );
  return row.count;
}

/** Matches the refund list's filter: refunds that need an approval or a person. */
export async function countRefundsToDo(
  db: Queryable,
  { actorId, most }: { actorId: string; most: number },
): Promise<number> {
  const row = onlyRow(
    await query<{ count: number }>(db)`
    SELECT count(*)::integer AS count FROM (
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
          WHERE l.refund_id = to_do.id)
       LIMIT ${most}) AS waiting`,
  );
  return row.count;
}

/** Credits that couldn't be mailed and that nobody has looked at. */
export async function countCreditsToLookAt(
  db: Queryable,
  { actorId, most }: { actorId: string; most: number },
): Promise<number> {
  const row = onlyRow(
    await query<{ count: number }>(db)`
    SELECT count(*)::integer AS count FROM (
      SELECT FROM unmailed_credit u
        JOIN charge c ON c.id = u.charge_id AND charge_counts(c.state)
        JOIN invoice i ON i.id = u.invoice_id
        JOIN visible_franchise v ON v.franchise_id = i.franchise_id AND v.actor_id = ${actorId}
       WHERE u.seen_at IS NULL LIMIT ${most}) AS waiting`,
  );
  return row.count;
}
