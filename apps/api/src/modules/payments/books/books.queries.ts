import { sql } from 'drizzle-orm';
import { allowTime } from '../../../db/allow-time.ts';
import type { Queryable } from '../../../db/client.ts';
import { onlyRow, query } from '../../../db/query.ts';

/** A rule of the books and the row that breaks it. */
export type Violation = { rule: string; subject: string };

/** Longer than a payment may stay unfinished unnoticed. */
const RECENT = sql`interval '2 days'`;
/** Money an office received is booked with the import that reports it. */
const JUST_BOOKED = sql`interval '1 hour'`;

/** The payment of a refund `r`. */
const paymentOf = sql`(SELECT q.intent_id FROM refund_request q WHERE q.id = r.request_id)`;

/** A little less than the time between two checks. */
const CHECK_MILLISECONDS = 240_000;

/**
 * Violations in recent and unfinished payments and in their invoices. Runs in a transaction, because it may take longer
 * than the pool's statement timeout.
 */
export async function listRecentViolations(tx: Queryable): Promise<Violation[]> {
  await allowTime(tx, { milliseconds: CHECK_MILLISECONDS });
  return query<Violation>(tx)`
    WITH recent AS MATERIALIZED (
      SELECT id FROM payment_intent
       WHERE created_at > (SELECT engine_now()) - ${RECENT}
         -- Implied by the line above; gives the planner an estimate of the row count.
         AND created_at > now() - ${RECENT}
      UNION SELECT intent_id FROM charge WHERE next_try_at IS NOT NULL
      UNION SELECT intent_id FROM charge WHERE review_since IS NOT NULL
      UNION SELECT intent_id FROM refund_request
             WHERE created_at > (SELECT engine_now()) - ${RECENT} AND created_at > now() - ${RECENT}
      UNION SELECT ${paymentOf} FROM refund r WHERE next_try_at IS NOT NULL
      UNION SELECT ${paymentOf} FROM refund r WHERE review_since IS NOT NULL
      UNION SELECT ${paymentOf} FROM refund r
             WHERE made_at > (SELECT engine_now()) - ${RECENT} AND made_at > now() - ${RECENT}
    ), touched AS (
      SELECT line.invoice_id FROM recent
       CROSS JOIN LATERAL (
         SELECT a.invoice_id FROM charge c JOIN charge_allocation a ON a.charge_id = c.id
          WHERE c.intent_id = recent.id
         -- OFFSET 0 keeps this row by row on indexes: the planner can't know how many payments are recent.
         OFFSET 0) AS line
      UNION
      SELECT invoice_id FROM ledger_entry
       WHERE charge_id IS NULL AND created_at > now() - ${JUST_BOOKED}
    )
    SELECT rule, subject
      FROM broken_rules(ARRAY(SELECT id FROM recent), ARRAY(SELECT invoice_id FROM touched))
    UNION ALL SELECT rule, subject FROM broken_shares(ARRAY(SELECT id FROM recent))
    UNION ALL SELECT rule, subject FROM broken_refunds(ARRAY(SELECT id FROM recent))
    UNION ALL SELECT rule, subject FROM broken_balances(ARRAY(SELECT invoice_id FROM touched)) LIMIT 100`;
}

/** A page's violations and the place from which to continue; null after the last page. */
export type CheckedPage<Place> = { violations: Violation[]; last: Place | null };

type IntentPlace = { createdAt: string; id: string };

export const BEFORE_ALL_INTENTS: IntentPlace = {
  createdAt: '-infinity',
  id: '00000000-0000-0000-0000-000000000000',
};

/** In order of creation, which is roughly their order on disk. */
export async function checkIntents(
  db: Queryable,
  { after, limit }: { after: IntentPlace; limit: number },
): Promise<CheckedPage<IntentPlace>> {
  return onlyRow(
    await query<CheckedPage<IntentPlace>>(db)`
    WITH page AS MATERIALIZED (
      SELECT created_at, id FROM payment_intent
       WHERE (created_at, id) > (${after.createdAt}::timestamptz, ${after.id}::uuid)
       ORDER BY created_at, id LIMIT ${limit})
    SELECT (SELECT json_build_object('createdAt', created_at::text, 'id', id)
              FROM page ORDER BY created_at DESC, id DESC LIMIT 1) AS last,
           (SELECT coalesce(json_agg(broken), '[]')
              FROM (SELECT rule, subject FROM broken_rules(ARRAY(SELECT id FROM page), '{}')
                    UNION ALL
                    SELECT rule, subject FROM broken_shares(ARRAY(SELECT id FROM page))
                    UNION ALL
                    SELECT rule, subject FROM broken_refunds(ARRAY(SELECT id FROM page))) AS broken) AS violations`,
  );
}

export async function checkInvoices(
  db: Queryable,
  { after, limit }: { after: number; limit: number },
): Promise<CheckedPage<number>> {
  return onlyRow(
    await query<CheckedPage<number>>(db)`
    WITH page AS MATERIALIZED (SELECT id FROM invoice WHERE id > ${after} ORDER BY id LIMIT ${limit})
    SELECT (SELECT max(id) FROM page) AS last,
           (SELECT coalesce(json_agg(broken), '[]')
              FROM (SELECT rule, subject FROM broken_rules('{}', ARRAY(SELECT id FROM page))
                    UNION ALL
                    SELECT rule, subject FROM broken_balances(ARRAY(SELECT id FROM page))) AS broken) AS violations`,
  );
}
