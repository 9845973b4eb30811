import type { Queryable } from '../../../db/client.ts';
import { query } from '../../../db/query.ts';

type NamedCredit = { franchiseId: number; chargeId: string; workOrderNumber: number };

/** The invoice on which a payer took a credit, if the caller sees it. */
export async function findCredit(
  db: Queryable,
  { actorId, franchiseId, chargeId, workOrderNumber }: NamedCredit & { actorId: string },
): Promise<{ invoiceId: number } | undefined> {
  const [row] = await query<{ invoiceId: number }>(db)`
    SELECT a.invoice_id AS "invoiceId"
      FROM visible_franchise v
      JOIN payment_share s ON s.franchise_id = v.franchise_id AND s.charge_id = ${chargeId} AND s.outcome = 'accepted'
      JOIN charge_allocation a ON a.charge_id = s.charge_id AND a.services_cents < 0
      JOIN invoice i ON i.id = a.invoice_id AND i.franchise_id = v.franchise_id
     WHERE v.actor_id = ${actorId} AND v.franchise_id = ${franchiseId} AND i.work_order_number = ${workOrderNumber}`;
  return row;
}
