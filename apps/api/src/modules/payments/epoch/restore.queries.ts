import type { Queryable } from '../../../db/client.ts';
import { listOf, query } from '../../../db/query.ts';

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

/** Stores the prefix of this address's order ids, unless it has one or another address uses this prefix. */
export async function storeDeployment(
  db: Queryable,
  { publicUrl, prefix }: { publicUrl: string; prefix: string },
): Promise<void> {
  await query(db)`
    INSERT INTO deployment (public_url, order_prefix) VALUES (${publicUrl}, ${prefix}) ON CONFLICT DO NOTHING`;
}
