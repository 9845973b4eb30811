import { sql } from 'drizzle-orm';
import { ADVISORY_LOCKS } from '../../../db/advisory-locks.ts';
import type { Queryable } from '../../../db/client.ts';
import { listOf, query } from '../../../db/query.ts';

/**
 * Of refunds that share an invoice, only one is decided to be sent at a time: what makes the next one wait is read after
 * the previous one's commit. Not the invoices' own locks, as a long import would then keep an account's refunds waiting.
 */
export async function lockSends(tx: Queryable, invoiceIds: number[]): Promise<void> {
  await query(tx)`
    SELECT pg_advisory_xact_lock(${ADVISORY_LOCKS.sends}, own.key)
      FROM (SELECT DISTINCT hashint8(id) AS key FROM unnest(${listOf(invoiceIds, 'bigint')}) AS id ORDER BY 1) AS own`;
}

/**
 * Whether `o` may have moved money that the invoice's sums don't show yet. Of what was held before it was sent, a
 * person may adopt what the provider shows.
 */
const isOnItsWay = sql`
  (o.state IN ('sending', 'unknown')
   OR o.state = 'held' AND (o.sent_at IS NOT NULL OR o.held_for NOT IN ('disputed', 'would-be-due')))`;

const ahead = sql`
  FROM refund_line theirs JOIN refund o ON o.id = theirs.refund_id
 WHERE theirs.invoice_id = l.invoice_id AND o.id <> r.id AND theirs.effect IS NOT NULL AND ${isOnItsWay}`;

/** Whether line `l` of refund `r` may make something due unannounced, depending on how a refund on its way ends. */
export const dependsOnAnother = sql`(l.nothing_due AND NOT r.may_make_due AND EXISTS (SELECT ${ahead}))`;

/** That refund; of several the one that was sent first. */
export const refundAhead = sql`(SELECT o.id ${ahead} ORDER BY o.sent_at, o.id LIMIT 1)`;

const isUnfinished = sql`o.state <> 'made' AND refund_reserves(o.state, o.undone_at)`;

/** What unfinished refunds will take of what was paid on invoice `i`, for a lateral join. */
export const leaving = sql`
  (SELECT coalesce(sum(theirs.invoice_cents + theirs.tax_cents), 0)::bigint AS cents,
          coalesce(sum(theirs.tax_cents), 0)::bigint AS tax_cents,
          coalesce(sum(least(0, theirs.services_cents + theirs.services_tax_cents)), 0)::bigint AS credit_cents
     FROM refund_line theirs JOIN refund o ON o.id = theirs.refund_id
    WHERE theirs.invoice_id = i.id AND theirs.effect = 'due-again' AND ${isUnfinished})`;

/** The same of refunds that were sent, or else asked for, before `r` of request `q`; `l` is its line. */
export const leavingBefore = sql`
  (SELECT coalesce(sum(theirs.invoice_cents + theirs.tax_cents), 0)::bigint
     FROM refund_line theirs JOIN refund o ON o.id = theirs.refund_id JOIN refund_request asked ON asked.id = o.request_id
    WHERE theirs.invoice_id = l.invoice_id AND theirs.effect = 'due-again' AND ${isUnfinished}
      AND (coalesce(o.sent_at, 'infinity'), asked.created_at, o.id)
        < (coalesce(r.sent_at, 'infinity'), q.created_at, r.id))`;
