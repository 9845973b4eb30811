import { sql } from 'drizzle-orm';
import type { Queryable } from '../../db/client.ts';
import { auditEvent } from '../../db/schema/operations.ts';
import type { WorkOrderNumbers } from '../invoices/payable-invoices.queries.ts';

/** Of a deployment: this is not the database whose books were compared with the provider's. */
export const isClosed = sql`books_of <> database_identity()`;

export type DueComparison = {
  orderPrefix: string;
  /** The database as it is now: if it is put back once more meanwhile, this comparison opens nothing. */
  identity: string;
  sinceMilliseconds: number;
};

/** Takes the comparison that a restore has made necessary, if nobody else is at it. */
export async function leaseComparison(
  tx: Queryable,
  { publicUrl }: { publicUrl: string },
): Promise<DueComparison | undefined> {
  const leased = await tx.execute(sql`
    UPDATE deployment SET comparing_until = engine_now() + interval '5 minutes'
     WHERE public_url = ${publicUrl} AND ${isClosed}
       AND (comparing_until IS NULL OR comparing_until < engine_now())
    RETURNING public_url`);
  if (leased.rows.length === 0) return undefined;
  const { rows } = await tx.execute<DueComparison>(sql`
    SELECT order_prefix AS "orderPrefix", database_identity() AS identity,
           extract(epoch FROM coalesce(compare_since, greatest(created_at,
             (SELECT max(p.created_at) FROM payment_intent p))))::float8 * 1000 AS "sinceMilliseconds"
      FROM deployment WHERE public_url = ${publicUrl}`);
  return rows[0];
}

export async function renewComparison(db: Queryable, { publicUrl }: { publicUrl: string }): Promise<void> {
  await db.execute(sql`
    UPDATE deployment SET comparing_until = engine_now() + interval '5 minutes' WHERE public_url = ${publicUrl}`);
}

/** The next comparison may begin at once. */
export async function endComparison(db: Queryable, { publicUrl }: { publicUrl: string }): Promise<void> {
  await db.execute(sql`UPDATE deployment SET comparing_until = NULL WHERE public_url = ${publicUrl}`);
}

/** Opens payments, unless a found payment may be anybody's. Returns whether they are open. */
export async function openPayments(
  db: Queryable,
  { publicUrl, identity }: { publicUrl: string; identity: string },
): Promise<boolean> {
  const { rows } = await db.execute(sql`
    UPDATE deployment SET books_of = ${identity}, compare_since = NULL
     WHERE public_url = ${publicUrl}
       AND NOT EXISTS (SELECT FROM found_payment WHERE is_unnamed AND settled_at IS NULL)
    RETURNING public_url`);
  return rows.length > 0;
}

/** No database has this name, so payments are closed until the next comparison. */
export async function closePayments(
  db: Queryable,
  { publicUrl, since }: { publicUrl: string; since: Date | null },
): Promise<void> {
  await db.execute(sql`
    UPDATE deployment SET books_of = '', compare_since = ${since?.toISOString() ?? null}::timestamptz
     WHERE public_url = ${publicUrl}`);
}

export type FoundPayment = {
  orderId: string;
  transactionKey: string;
  accountId: number;
  reference: string;
  amountCents: number;
  state: 'held' | 'captured';
  /** Not all of its work orders could be read. */
  isUnnamed: boolean;
  workOrders: WorkOrderNumbers[];
};

/** Stores one; found again, it keeps what a person has said of it, and may have been captured meanwhile. */
export async function storeFoundPayment(tx: Queryable, found: FoundPayment): Promise<void> {
  const { orderId, transactionKey, workOrders } = found;
  await tx.execute(sql`
    INSERT INTO found_payment
      (order_id, transaction_key, merchant_account_id, reference, amount_cents, state, is_unnamed)
    VALUES (${orderId}, ${transactionKey}, ${found.accountId}, ${found.reference}, ${found.amountCents},
            ${found.state}, ${found.isUnnamed})
    ON CONFLICT (order_id, transaction_key) DO UPDATE SET state = excluded.state`);
  await tx.execute(sql`
    INSERT INTO found_payment_work_order (order_id, transaction_key, franchise_id, work_order_number)
    SELECT ${orderId}, ${transactionKey}, franchise_id, number
      FROM unnest(${sql.param(workOrders.map((each) => each.franchiseId))}::integer[],
                  ${sql.param(workOrders.map((each) => each.workOrderNumber))}::bigint[]) AS w (franchise_id, number)
    ON CONFLICT DO NOTHING`);
}

/** The first of these invoices that a found payment may have paid. */
export async function findBlockingFoundPayment(
  tx: Queryable,
  { invoiceIds }: { invoiceIds: number[] },
): Promise<{ workOrderNumber: number } | undefined> {
  const { rows } = await tx.execute<{ workOrderNumber: number }>(sql`
    SELECT i.work_order_number AS "workOrderNumber"
      FROM invoice i
      JOIN found_payment_work_order w USING (franchise_id, work_order_number)
      JOIN found_payment f USING (order_id, transaction_key)
     WHERE i.id = ANY(${sql.param(invoiceIds)}::bigint[]) AND f.settled_at IS NULL
     ORDER BY i.id LIMIT 1`);
  return rows[0];
}

/** What nobody has settled yet, the oldest first. */
export async function selectFoundPayments(db: Queryable): Promise<FoundPayment[]> {
  const { rows } = await db.execute<FoundPayment>(sql`
    SELECT f.order_id AS "orderId", f.transaction_key AS "transactionKey", f.merchant_account_id AS "accountId",
           f.reference, f.amount_cents AS "amountCents", f.state, f.is_unnamed AS "isUnnamed",
           (SELECT coalesce(json_agg(json_build_object(
                     'franchiseId', w.franchise_id, 'workOrderNumber', w.work_order_number)
                     ORDER BY w.franchise_id, w.work_order_number), '[]')
              FROM found_payment_work_order w
             WHERE w.order_id = f.order_id AND w.transaction_key = f.transaction_key) AS "workOrders"
      FROM found_payment f WHERE f.settled_at IS NULL ORDER BY f.found_at, f.order_id`);
  return rows;
}

/** Returns whether there was such a payment to settle. */
export async function markFoundPaymentSettled(
  tx: Queryable,
  { orderId, actor }: { orderId: string; actor: string },
): Promise<boolean> {
  const { rows } = await tx.execute<{ reference: string; state: string }>(sql`
    UPDATE found_payment SET settled_at = clock_timestamp()
     WHERE order_id = ${orderId} AND settled_at IS NULL RETURNING reference, state`);
  if (rows.length === 0) return false;
  await tx
    .insert(auditEvent)
    .values({ actor, action: 'settle found payment', subject: `order ${orderId}`, detail: { rows } });
  return true;
}

/** The accounts that may have taken payments since then: those in use, and those that were at any time after it. */
export async function listAccountsSince(
  db: Queryable,
  { since }: { since: Date },
): Promise<{ accountId: number; isCurrent: boolean }[]> {
  const { rows } = await db.execute<{ accountId: number; isCurrent: boolean }>(sql`
    SELECT id AS "accountId", replaced_at IS NULL AS "isCurrent" FROM merchant_account
     WHERE replaced_at IS NULL OR replaced_at > ${since.toISOString()}::timestamptz ORDER BY id`);
  return rows;
}
