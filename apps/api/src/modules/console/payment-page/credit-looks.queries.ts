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

/** False if somebody looked before. */
export async function insertCreditLook(
  tx: Queryable,
  look: { chargeId: string; invoiceId: number; actorId: string; note: string | null },
): Promise<boolean> {
  const rows = await query(tx)`
    INSERT INTO credit_look (charge_id, invoice_id, actor_id, note)
    VALUES (${look.chargeId}, ${look.invoiceId}, ${look.actorId}, ${look.note})
    ON CONFLICT DO NOTHING RETURNING charge_id`;
  return rows.length > 0;
}

/** Marks a credit that couldn't be mailed as seen. */
export async function markUnmailedCreditSeen(
  tx: Queryable,
  { chargeId, invoiceId }: { chargeId: string; invoiceId: number },
): Promise<void> {
  await query(tx)`
    UPDATE unmailed_credit SET seen_at = engine_now()
     WHERE charge_id = ${chargeId} AND invoice_id = ${invoiceId} AND seen_at IS NULL`;
}
