import type { Queryable } from '../../../db/client.ts';
import { query } from '../../../db/query.ts';

/** The address of the payer's own receipt, if one was wanted. */
export async function findFirstRecipient(db: Queryable, paymentId: string): Promise<string | undefined> {
  const [row] = await query<{ recipient: string }>(db)`
    SELECT recipient FROM outgoing_mail
     WHERE intent_id = ${paymentId} AND kind = 'payment-receipt' AND recipient <> '' ORDER BY created_at, id LIMIT 1`;
  return row?.recipient;
}

export type ReceiptRefundRow = { refundedAt: string; timeZone: string; amountCents: number };

/** A payment's refunds, oldest first, limited to the lines that the caller sees. */
export async function selectReceiptRefunds(
  db: Queryable,
  { paymentId, actorId }: { paymentId: string; actorId: string },
): Promise<ReceiptRefundRow[]> {
  return query<ReceiptRefundRow>(db)`
    SELECT to_json(r.made_at) #>> '{}' AS "refundedAt", min(f.time_zone) AS "timeZone",
           sum(l.invoice_cents + l.tax_cents + l.services_cents + l.services_tax_cents + l.tip_cents)::bigint
             AS "amountCents"
      FROM charge c
      JOIN refund r ON r.charge_id = c.id AND r.state = 'made' AND r.undone_at IS NULL
      JOIN refund_line l ON l.refund_id = r.id
      JOIN invoice i ON i.id = l.invoice_id
      JOIN visible_franchise v ON v.franchise_id = i.franchise_id AND v.actor_id = ${actorId}
      JOIN franchise f ON f.id = i.franchise_id
     WHERE c.intent_id = ${paymentId} GROUP BY r.id ORDER BY r.made_at, r.id`;
}
