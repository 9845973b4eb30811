import { type SQL, sql } from 'drizzle-orm';
import type { Queryable } from '../../../db/client.ts';
import { query } from '../../../db/query.ts';

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
