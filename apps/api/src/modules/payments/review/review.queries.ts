import { sql } from 'drizzle-orm';
import type { Queryable } from '../../../db/client.ts';
import { isUnleased, leaseEnd } from '../../../db/clock/ahead.queries.ts';
import { query } from '../../../db/query.ts';
import type { ChargeState } from '../../../db/schema/payments.ts';

/** A charge that the sweep can't end by itself. */
export type ReviewedCharge = {
  chargeId: string;
  intentId: string;
  accountId: number;
  state: ChargeState;
  orderId: string;
  transactionKey: string | null;
  reference: string | null;
  amountCents: number;
  reviewSince: string;
  createdAtMilliseconds: number;
  /** Seconds since it was made. */
  ageSeconds: number;
  /** The provider has answered that its hold can't be captured. */
  isUncapturable: boolean;
  fence: number;
};

export type ListedCharge = ReviewedCharge & {
  workOrders: { franchiseId: number; workOrderNumber: number }[];
  franchiseNames: string[];
};

const reviewed = sql`
  c.id AS "chargeId", c.intent_id AS "intentId", c.merchant_account_id AS "accountId", c.state,
  c.order_id AS "orderId", c.transaction_key AS "transactionKey", c.reference, c.amount_cents AS "amountCents",
  to_json(c.review_since) #>> '{}' AS "reviewSince", c.fence,
  extract(epoch FROM c.created_at)::float8 * 1000 AS "createdAtMilliseconds",
  extract(epoch FROM engine_now() - c.created_at)::float8 AS "ageSeconds",
  c.first_impossible_at IS NOT NULL AS "isUncapturable"`;

export async function listReviewed(db: Queryable, { actorId }: { actorId: string }): Promise<ListedCharge[]> {
  return query<ListedCharge>(db)`
    SELECT ${reviewed}, paid.*
      FROM charge c
     CROSS JOIN LATERAL (
       SELECT coalesce(json_agg(json_build_object(
                'franchiseId', i.franchise_id, 'workOrderNumber', i.work_order_number) ORDER BY i.id), '[]')
                AS "workOrders",
              coalesce(array_agg(DISTINCT f.name), '{}') AS "franchiseNames"
         FROM charge_allocation a
         JOIN invoice i ON i.id = a.invoice_id
         JOIN visible_franchise v ON v.franchise_id = i.franchise_id AND v.actor_id = ${actorId}
         JOIN franchise f ON f.id = v.franchise_id
        WHERE a.charge_id = c.id) AS paid
     WHERE c.review_since IS NOT NULL ORDER BY c.review_since`;
}

/** Leases a charge on the review list for a minute and keeps the sweep out. */
export async function leaseReviewed(
  db: Queryable,
  { chargeId }: { chargeId: string },
): Promise<ReviewedCharge | 'leased' | undefined> {
  const rows = await query<ReviewedCharge>(db)`
    UPDATE charge c SET lease_until = ${leaseEnd}, fence = c.fence + 1
     WHERE c.id = ${chargeId} AND c.review_since IS NOT NULL
       AND ${isUnleased('c.lease_until')}
    RETURNING ${reviewed}`;
  if (rows[0]) return rows[0];
  const known = await query(db)`
    SELECT FROM charge WHERE id = ${chargeId} AND review_since IS NOT NULL`;
  return known.length > 0 ? 'leased' : undefined;
}

/** Returns the charge to the sweep. */
export async function endLease(
  db: Queryable,
  charge: Pick<ReviewedCharge, 'chargeId' | 'fence'>,
): Promise<void> {
  await query(db)`
    UPDATE charge SET lease_until = NULL WHERE id = ${charge.chargeId} AND fence = ${charge.fence}`;
}

export async function findChargeState(db: Queryable, chargeId: string): Promise<ChargeState> {
  const rows = await query<{ state: ChargeState }>(db)`SELECT state FROM charge WHERE id = ${chargeId}`;
  if (!rows[0]) throw new Error(`charge ${chargeId} is not there`);
  return rows[0].state;
}
