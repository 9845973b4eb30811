import { sql } from 'drizzle-orm';
import { type Actor, recordAct } from '../../../db/audit.queries.ts';
import type { Queryable } from '../../../db/client.ts';
import { listOf, query, unnest } from '../../../db/query.ts';
import type { WorkOrderNumbers } from '../../invoices/payable-invoices.queries.ts';

/** Leases the comparison that a restore requires, unless another worker has it. */
export async function leaseComparison(db: Queryable, { publicUrl }: { publicUrl: string }): Promise<boolean> {
  const rows = await query(db)`
    UPDATE deployment SET comparing_until = engine_now() + interval '5 minutes'
     WHERE public_url = ${publicUrl} AND restore_noticed_at IS NOT NULL
       AND (comparing_until IS NULL OR comparing_until < engine_now())
    RETURNING public_url`;
  return rows.length > 0;
}

export async function renewComparison(db: Queryable, { publicUrl }: { publicUrl: string }): Promise<void> {
  await query(db)`
    UPDATE deployment SET comparing_until = engine_now() + interval '5 minutes' WHERE public_url = ${publicUrl}`;
}

/** Ends the lease, so the next comparison may begin at once. */
export async function leaveComparison(db: Queryable, { publicUrl }: { publicUrl: string }): Promise<void> {
  await query(db)`UPDATE deployment SET comparing_until = NULL WHERE public_url = ${publicUrl}`;
}

/** Whether every account's list was read in full in the epoch that the restore began. */
const areAllCompared = (publicUrl: string) => sql`
  NOT EXISTS (
    SELECT FROM merchant_account m
      JOIN books_epoch e ON e.public_url = ${publicUrl}
      LEFT JOIN account_look l
        ON l.public_url = e.public_url AND l.merchant_account_id = m.id AND l.epoch = e.epoch
     WHERE l.epoch IS NULL)`;

export async function isCompared(db: Queryable, { publicUrl }: { publicUrl: string }): Promise<boolean> {
  const rows = await query(db)`SELECT WHERE ${areAllCompared(publicUrl)}`;
  return rows.length > 0;
}

/** Ends the restore once everything is compared. */
export async function endRestore(db: Queryable, { publicUrl }: { publicUrl: string }): Promise<boolean> {
  const rows = await query(db)`
    UPDATE deployment d SET restore_noticed_at = NULL, compare_since = NULL
     WHERE d.public_url = ${publicUrl} AND ${areAllCompared(publicUrl)}
    RETURNING public_url`;
  return rows.length > 0;
}

/** From now on, compare lists in full back to what is known for certain, or further if a person says so. */
export async function noteRestore(
  tx: Queryable,
  { publicUrl, since }: { publicUrl: string; since: Date | null },
): Promise<void> {
  await query(tx)`
    UPDATE deployment SET restore_noticed_at = engine_now(),
           compare_since = least(compare_since, ${since?.toISOString() ?? null}::timestamptz)
     WHERE public_url = ${publicUrl}`;
}

/** Marks orders of ours as heard of, so that they aren't taken for another restore. */
export async function storeLostOrders(
  tx: Queryable,
  { accountId, orderIds }: { accountId: number; orderIds: string[] },
): Promise<void> {
  await query(tx)`
    INSERT INTO lost_order (order_id, merchant_account_id)
    SELECT DISTINCT order_id, ${accountId}::bigint FROM unnest(${listOf(orderIds, 'text')}) AS lost (order_id)
    ON CONFLICT DO NOTHING`;
}

/** Which of these orders an earlier comparison found. */
export async function findLostOrders(db: Queryable, orderIds: string[]): Promise<Set<string>> {
  const rows = await query<{ orderId: string }>(db)`
    SELECT order_id AS "orderId" FROM lost_order WHERE order_id = ANY(${listOf(orderIds, 'text')})`;
  return new Set(rows.map(({ orderId }) => orderId));
}

export type FoundPayment = {
  orderId: string;
  transactionKey: string;
  accountId: number;
  reference: string;
  amountCents: number;
  /** `unread`: stands for whatever was paid on an account whose list can't be read. */
  state: 'held' | 'captured' | 'unread';
  /** Not all of its work orders could be read. */
  isUnnamed: boolean;
  workOrders: WorkOrderNumbers[];
};

/** With the franchise whose merchant account it is on; null for the portal's. */
export type ListedFoundPayment = FoundPayment & { franchiseName: string | null };

/** Stores a found payment. Finding it again updates its state and keeps a person's acknowledgement. */
export async function storeFoundPayment(tx: Queryable, found: FoundPayment): Promise<void> {
  const { orderId, transactionKey, workOrders } = found;
  await query(tx)`
    INSERT INTO found_payment
      (order_id, transaction_key, merchant_account_id, reference, amount_cents, state, is_unnamed)
    VALUES (${orderId}, ${transactionKey}, ${found.accountId}, ${found.reference}, ${found.amountCents},
            ${found.state}, ${found.isUnnamed})
    ON CONFLICT (order_id, transaction_key) DO UPDATE SET state = excluded.state`;
  await query(tx)`
    INSERT INTO found_payment_work_order (order_id, transaction_key, franchise_id, work_order_number)
    SELECT ${orderId}, ${transactionKey}, franchise_id, number
      FROM ${unnest(workOrders, { franchiseId: 'integer', workOrderNumber: 'bigint' })} AS w (franchise_id, number)
    ON CONFLICT DO NOTHING`;
}

/** The first of these invoices that a found payment may have paid. */
export async function findBlockingFoundPayment(
  tx: Queryable,
  { invoiceIds }: { invoiceIds: number[] },
): Promise<{ workOrderNumber: number } | undefined> {
  const [row] = await query<{ workOrderNumber: number }>(tx)`
    SELECT i.work_order_number AS "workOrderNumber"
      FROM invoice i
      JOIN found_payment_work_order w USING (franchise_id, work_order_number)
      JOIN found_payment f USING (order_id, transaction_key)
     WHERE i.id = ANY(${listOf(invoiceIds, 'bigint')}) AND f.settled_at IS NULL
     ORDER BY i.id LIMIT 1`;
  return row;
}

/** Unacknowledged found payments, oldest first. */
export async function selectFoundPayments(db: Queryable): Promise<ListedFoundPayment[]> {
  return query<ListedFoundPayment>(db)`
    SELECT f.order_id AS "orderId", f.transaction_key AS "transactionKey", f.merchant_account_id AS "accountId",
           f.reference, f.amount_cents AS "amountCents", f.state, f.is_unnamed AS "isUnnamed",
           (SELECT o.name FROM merchant_account m JOIN franchise o ON o.id = m.franchise_id
             WHERE m.id = f.merchant_account_id) AS "franchiseName",
           (SELECT coalesce(json_agg(json_build_object(
                     'franchiseId', w.franchise_id, 'workOrderNumber', w.work_order_number)
                     ORDER BY w.franchise_id, w.work_order_number), '[]')
              FROM found_payment_work_order w
             WHERE w.order_id = f.order_id AND w.transaction_key = f.transaction_key) AS "workOrders"
      FROM found_payment f WHERE f.settled_at IS NULL ORDER BY f.found_at, f.order_id`;
}

/** Returns whether there was such a payment to acknowledge. */
export async function markFoundPaymentAcknowledged(
  tx: Queryable,
  { orderId, actor }: { orderId: string; actor: Actor },
): Promise<boolean> {
  const rows = await query<{ reference: string; state: string }>(tx)`
    UPDATE found_payment SET settled_at = engine_now()
     WHERE order_id = ${orderId} AND settled_at IS NULL RETURNING reference, state`;
  if (rows.length === 0) return false;
  await recordAct(tx, actor, {
    action: 'acknowledge found payment',
    subject: `order ${orderId}`,
    detail: { rows },
  });
  return true;
}

/** When the restore was noticed: a list read earlier may lack the last payments. */
export async function findNoticedAt(db: Queryable, { publicUrl }: { publicUrl: string }): Promise<Date> {
  const rows = await query<{ at: number }>(db)`
    SELECT extract(epoch FROM coalesce(restore_noticed_at, engine_now()))::float8 * 1000 AS at
      FROM deployment WHERE public_url = ${publicUrl}`;
  const [noticed] = rows;
  if (!noticed) throw new Error(`no deployment at ${publicUrl}`);
  return new Date(noticed.at);
}

/** Stores the prefix of this address's order ids, unless it has one or another address uses this prefix. */
export async function storeDeployment(
  db: Queryable,
  { publicUrl, prefix }: { publicUrl: string; prefix: string },
): Promise<void> {
  await query(db)`
    INSERT INTO deployment (public_url, order_prefix) VALUES (${publicUrl}, ${prefix}) ON CONFLICT DO NOTHING`;
}
