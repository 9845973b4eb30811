import { sql } from 'drizzle-orm';
import { type Actor, recordAct } from '../../../db/audit.queries.ts';
import type { Queryable } from '../../../db/client.ts';
import { listOf, query, unnest } from '../../../db/query.ts';
import { rowVersion } from '../../../db/statements/row-version.queries.ts';
import type { WorkOrderNumbers } from '../../invoices/payable-invoices.queries.ts';

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

export type ListedFoundPayment = FoundPayment & {
  /** The franchise whose merchant account it is on; null for the portal's. */
  franchiseName: string | null;
  /** Of its transaction and its state. */
  version: number;
};

/** Tells one order's transactions apart, and a hold from its capture. */
const version = rowVersion(sql`concat_ws(' ', f.transaction_key, f.state)`);

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
           f.reference, f.amount_cents AS "amountCents", f.state, f.is_unnamed AS "isUnnamed", ${version} AS version,
           (SELECT o.name FROM merchant_account m JOIN franchise o ON o.id = m.franchise_id
             WHERE m.id = f.merchant_account_id) AS "franchiseName",
           (SELECT coalesce(json_agg(json_build_object(
                     'franchiseId', w.franchise_id, 'workOrderNumber', w.work_order_number)
                     ORDER BY w.franchise_id, w.work_order_number), '[]')
              FROM found_payment_work_order w
             WHERE w.order_id = f.order_id AND w.transaction_key = f.transaction_key) AS "workOrders"
      FROM found_payment f WHERE f.settled_at IS NULL ORDER BY f.found_at, f.order_id`;
}

/** Acknowledges the order's payment of this version; without one, all that the order has. False if there is none. */
export async function markFoundPaymentAcknowledged(
  tx: Queryable,
  {
    orderId,
    version: seen = null,
    actor,
  }: { orderId: string; version?: number | null | undefined; actor: Actor },
): Promise<boolean> {
  const rows = await query<{ reference: string; state: string }>(tx)`
    UPDATE found_payment f SET settled_at = engine_now()
     WHERE order_id = ${orderId} AND settled_at IS NULL
       AND (${seen}::integer IS NULL OR ${version} = ${seen})
    RETURNING reference, state`;
  if (rows.length === 0) return false;
  await recordAct(tx, actor, {
    action: 'acknowledge found payment',
    subject: `order ${orderId}`,
    detail: { rows },
  });
  return true;
}

export async function isAnyFoundOpen(tx: Queryable, orderId: string): Promise<boolean> {
  const rows = await query(tx)`
    SELECT FROM found_payment WHERE order_id = ${orderId} AND settled_at IS NULL LIMIT 1`;
  return rows.length > 0;
}
