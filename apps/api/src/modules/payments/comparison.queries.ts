import { type Cents, cents } from '@brightpane/money/cents';
import { sql } from 'drizzle-orm';
import type { Queryable } from '../../db/client.ts';
import { auditEvent } from '../../db/schema/operations.ts';
import type { ChargeState } from '../../db/schema/payments.ts';

export type ComparedCharge = {
  chargeId: string;
  orderId: string;
  reference: string | null;
  amountCents: Cents;
  state: ChargeState;
};

/**
 * The engine's clock may be ahead, and is never behind. The second condition follows from the first; of it the planner
 * knows how few rows it leaves.
 */
const isOfLastDays = (days: number) => sql`
  c.created_at > (SELECT engine_now()) - make_interval(days => ${days})
  AND c.created_at > now() - make_interval(days => ${days})`;

const compared = sql`c.id AS "chargeId", c.order_id AS "orderId", c.reference, c.amount_cents AS "amountCents", c.state`;

const asCompared = (row: ComparedCharge): ComparedCharge => ({ ...row, amountCents: cents(row.amountCents) });

/** The accounts in use, and the replaced ones that still had charges in the period. */
export async function listComparedAccounts(
  db: Queryable,
  { days }: { days: number },
): Promise<{ accountId: number; isCurrent: boolean }[]> {
  const { rows } = await db.execute<{ accountId: number; isCurrent: boolean }>(sql`
    SELECT m.id AS "accountId", m.replaced_at IS NULL AS "isCurrent" FROM merchant_account m
     WHERE m.replaced_at IS NULL
        OR EXISTS (SELECT FROM charge c WHERE c.merchant_account_id = m.id AND ${isOfLastDays(days)})
     ORDER BY m.id`);
  return rows;
}

/** What must be in the provider's list by now: a capture of this minute may be too young for it. */
export async function listCapturedCharges(
  db: Queryable,
  { accountId, days }: { accountId: number; days: number },
): Promise<{ charges: ComparedCharge[]; nowMilliseconds: number }> {
  const { rows } = await db.execute<ComparedCharge>(sql`
    SELECT ${compared} FROM charge c
     WHERE c.merchant_account_id = ${accountId} AND c.state = 'captured'
       AND c.captured_at < (SELECT engine_now()) - interval '15 minutes'
       AND ${isOfLastDays(days)}`);
  const clock = await db.execute<{ now: number }>(sql`
    SELECT extract(epoch FROM engine_now())::float8 * 1000 AS now`);
  return { charges: rows.map(asCompared), nowMilliseconds: clock.rows[0]?.now ?? 0 };
}

export async function findByOrderIds(
  db: Queryable,
  orderIds: string[],
): Promise<Map<string, ComparedCharge>> {
  const { rows } = await db.execute<ComparedCharge>(sql`
    SELECT ${compared} FROM charge c WHERE c.order_id = ANY(${sql.param(orderIds)}::text[])`);
  return new Map(rows.map((row) => [row.orderId, asCompared(row)]));
}

export async function recordComparison(
  db: Queryable,
  detail: { compared: number; isComplete: boolean; differences: number },
): Promise<void> {
  await db.insert(auditEvent).values({ actor: 'portal', action: 'compare books', subject: 'books', detail });
}
