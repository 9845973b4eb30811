import type { Queryable } from '../../../db/client.ts';
import { query } from '../../../db/query.ts';

type Asked = { actorId: string; number: number; limit: number };

export async function findCustomersByNumber(
  db: Queryable,
  { actorId, number, limit }: Asked,
): Promise<number[]> {
  const rows = await query<{ id: number }>(db)`
    SELECT c.id FROM visible_franchise v
      JOIN customer c ON c.franchise_id = v.franchise_id AND c.number = ${number}
     WHERE v.actor_id = ${actorId} LIMIT ${limit}`;
  return rows.map(({ id }) => id);
}

/** Customers of the invoices with this work order number. */
export async function findCustomersOfInvoices(
  db: Queryable,
  { actorId, number, limit }: Asked,
): Promise<number[]> {
  const rows = await query<{ id: number }>(db)`
    SELECT coalesce(i.former_customer_id, l.customer_id) AS id
      FROM (SELECT * FROM invoice WHERE work_order_number = ${number} LIMIT ${limit}) AS i
      JOIN visible_franchise v ON v.franchise_id = i.franchise_id AND v.actor_id = ${actorId}
      JOIN location l ON l.id = i.location_id`;
  return rows.map(({ id }) => id);
}
