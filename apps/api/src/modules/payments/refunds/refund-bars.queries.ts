import { sql } from 'drizzle-orm';
import type { Queryable } from '../../../db/client.ts';
import { query } from '../../../db/query.ts';
import type { RefundMethod } from '../../../db/schema/refunds.ts';
import { isMade } from '../../../db/statements/line-sums.queries.ts';
import { mayBeUnlisted } from '../epoch/epoch.queries.ts';
import type { HeldFor } from './moves/held-for.ts';
import { dependsOnAnother } from './refunds-ahead.queries.ts';

/**
 * The provider's refunds of charge `c` that no refund of ours owns, voided ones included, as far as the list has been
 * read. Under its order, or named by an answer to a refund of it: a row may lack its order.
 */
export const unowned = sql`
  (SELECT s.* FROM seen_refund s WHERE s.order_id = c.order_id AND s.refund_id IS NULL
    UNION
   SELECT s.* FROM refund o JOIN seen_refund s ON s.transaction_key = o.answer_key
    WHERE o.charge_id = c.id AND s.refund_id IS NULL)`;

const unclaimed = sql`(SELECT u.* FROM ${unowned} AS u WHERE u.type = 'C')`;

/**
 * Why a refund may not be sent until a person decides; null if nothing bars it. Refunds that a person has seen at the
 * provider no longer bar it, but their amounts still count as gone.
 */
export async function findBar(tx: Queryable, refundId: string): Promise<HeldFor | null> {
  const [row] = await query<{ heldFor: HeldFor | null }>(tx)`
    SELECT CASE
             WHEN EXISTS (SELECT FROM ${unclaimed} AS s WHERE s.transaction_key <> ALL (r.known_keys)) THEN 'unclaimed'
             WHEN EXISTS (SELECT FROM dispute d WHERE d.charge_id = c.id AND d.outcome IS DISTINCT FROM 'won')
               THEN 'disputed'
             WHEN NOT r.may_make_due
                  AND EXISTS (SELECT FROM refund_line l JOIN invoice i ON i.id = l.invoice_id
                               WHERE l.refund_id = r.id
                                 AND CASE l.effect WHEN 'credited' THEN overpaid_cash(i) > 0
                                       ELSE l.nothing_due AND i.paid_cents + i.paid_elsewhere_cents - i.amount_cents
                                                             < l.invoice_cents + l.tax_cents END)
               THEN 'would-be-due'
             WHEN r.amount_cents + (SELECT coalesce(sum(s.amount_cents), 0) FROM ${unclaimed} AS s)
                  + (SELECT coalesce(sum(o.amount_cents), 0) FROM refund o
                      WHERE o.charge_id = c.id AND ${isMade('o')}) > c.amount_cents
               THEN 'more-than-left'
           END AS "heldFor"
      FROM refund r JOIN charge c ON c.id = r.charge_id WHERE r.id = ${refundId}`;
  return row?.heldFor ?? null;
}

const OLDEST_LOOK_SECONDS = 120;

/**
 * Whether the provider's list was read recently, the charge is collected and no other refund of it is in progress, nor
 * one of another payment that decides whether what this one makes due was announced. A void must cover the whole charge;
 * a refund waits until no void can land any more, and until the list must show what a restore may have lost. A lost void
 * does no harm: asking again is the same void.
 */
export async function mayBeSent(
  tx: Queryable,
  { refundId, method, publicUrl }: { refundId: string; method: RefundMethod; publicUrl: string },
): Promise<boolean> {
  const fits =
    method === 'void'
      ? sql`r.amount_cents = c.amount_cents`
      : sql`NOT EXISTS (SELECT FROM refund o WHERE o.charge_id = c.id AND o.void_until >= engine_now())
            AND NOT ${mayBeUnlisted({ publicUrl })}`;
  const rows = await query(tx)`
    SELECT FROM refund r JOIN charge c ON c.id = r.charge_id
     WHERE r.id = ${refundId} AND c.state = 'captured' AND ${fits}
       AND r.looked_at > engine_now() - make_interval(secs => ${OLDEST_LOOK_SECONDS})
       AND NOT EXISTS (SELECT FROM refund o WHERE o.charge_id = c.id AND o.id <> r.id
                          AND (o.state IN ('sending', 'unknown') OR o.state = 'held' AND o.sent_at IS NOT NULL))
       AND NOT EXISTS (SELECT FROM refund_line l WHERE l.refund_id = r.id AND ${dependsOnAnother})`;
  return rows.length === 1;
}

/** The provider's refunds of the order from before this one was sent. */
export async function listKeysBefore(db: Queryable, refundId: string): Promise<string[]> {
  const [row] = await query<{ keys: string[] }>(db)`
    SELECT array_to_json(before_keys) AS keys FROM refund WHERE id = ${refundId}`;
  return row?.keys ?? [];
}
