import { type SQL, sql } from 'drizzle-orm';
import type { Queryable } from '../../../db/client.ts';
import { listOf, query } from '../../../db/query.ts';

/** Counts the differences that nobody has acknowledged. */
export const openDifferences: SQL = sql`
  (SELECT count(*)::integer FROM book_difference WHERE acknowledged_at IS NULL)`;

export type SeenDifference = {
  kind: string;
  accountId: number;
  orderId: string;
  reference: string;
  amountCents: number;
};

/**
 * Stores what a comparison found, one row per kind, order and reference. An acknowledged difference stays acknowledged
 * unless its amount changes.
 */
export async function keepDifferences(tx: Queryable, seen: SeenDifference[]): Promise<void> {
  if (seen.length === 0) return;
  const given = sql`jsonb_to_recordset(${JSON.stringify(seen)}::jsonb) AS s
    (kind text, "accountId" bigint, "orderId" text, reference text, "amountCents" bigint)`;
  const isAcknowledged = sql`
    (d.kind, d.order_id, d.reference, d.amount_cents) = (s.kind, s."orderId", s.reference, s."amountCents")
    AND d.acknowledged_at IS NOT NULL`;
  await query(tx)`
    INSERT INTO book_difference (kind, merchant_account_id, order_id, reference, amount_cents)
    SELECT s.kind, s."accountId", s."orderId", s.reference, s."amountCents" FROM ${given}
     WHERE NOT EXISTS (SELECT FROM book_difference d WHERE ${isAcknowledged})
    ON CONFLICT (kind, order_id, reference) WHERE acknowledged_at IS NULL
    DO UPDATE SET last_seen_at = excluded.last_seen_at, amount_cents = excluded.amount_cents`;
  await query(tx)`
    UPDATE book_difference d SET last_seen_at = engine_now() FROM ${given} WHERE ${isAcknowledged}`;
}

/**
 * Orders whose charge was not accepted, and whose capture by hand a person has dealt with: they closed the charge, or
 * acknowledged the difference. Older books have no such orders among those accepted since. A conflict is closed by saying
 * that nothing was taken; of any other charge that is a word against what the list shows (decision 91).
 */
export async function findDealtWith(db: Queryable, orderIds: string[]): Promise<Set<string>> {
  const rows = await query<{ orderId: string }>(db)`
    SELECT c.order_id AS "orderId" FROM charge c
     WHERE c.order_id = ANY(${listOf(orderIds, 'text')}) AND NOT charge_counts(c.state)
       AND (EXISTS (SELECT FROM book_difference d
                     WHERE d.order_id = c.order_id AND d.kind = 'captured-but-not-accepted'
                       AND d.acknowledged_at IS NOT NULL)
            OR EXISTS (SELECT FROM audit_event a
                        WHERE a.subject = concat('charge ', c.id)
                          AND (a.action = 'review: close'
                               OR (a.action = 'review: nothing-taken' AND a.detail->>'from' = 'conflict'))
                       -- OFFSET 0 keeps this row by row on the index.
                       OFFSET 0))`;
  return new Set(rows.map(({ orderId }) => orderId));
}
