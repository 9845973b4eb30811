import type { Queryable } from '../../../db/client.ts';
import { listOf, onlyRow, query } from '../../../db/query.ts';
import { isOwnOrder } from '../epoch/own-orders.queries.ts';

/** The addresses in these books at which orders were begun. */
export async function listAddresses(db: Queryable): Promise<{ publicUrl: string; movedTo: string | null }[]> {
  return query<{ publicUrl: string; movedTo: string | null }>(db)`
    SELECT public_url AS "publicUrl", moved_to AS "movedTo" FROM deployment ORDER BY created_at, public_url`;
}

/** Gives the orders of these addresses, and of those that had moved there, to another one. */
export async function moveAddresses(
  tx: Queryable,
  { from, to }: { from: string[]; to: string },
): Promise<void> {
  const moving = listOf(from, 'text');
  await query(tx)`
    UPDATE deployment SET moved_to = CASE WHEN public_url <> ${to} THEN ${to}::text END
     WHERE public_url = ANY(${moving}) OR moved_to = ANY(${moving})`;
}

/** Counts the unfinished charges and refunds that this deployment doesn't work on. */
export async function countLeftElsewhere(
  db: Queryable,
  { publicUrl }: { publicUrl: string },
): Promise<{ charges: number; refunds: number }> {
  return onlyRow(
    await query<{ charges: number; refunds: number }>(db)`
    SELECT (SELECT count(*)::integer FROM charge c WHERE c.next_try_at IS NOT NULL AND NOT ${isOwnOrder(publicUrl)}) AS charges,
           (SELECT count(*)::integer FROM refund r JOIN charge c ON c.id = r.charge_id
             WHERE r.next_try_at IS NOT NULL AND NOT ${isOwnOrder(publicUrl)}) AS refunds`,
  );
}
