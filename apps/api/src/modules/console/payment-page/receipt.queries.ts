import { sql } from 'drizzle-orm';
import type { Queryable } from '../../../db/client.ts';
import { instantText, query } from '../../../db/query.ts';
import { isMade, partsOf } from '../../../db/statements/line-sums.queries.ts';
import { maySeeRecipient } from './payment-page.queries.ts';

export type ReceiptAddress = { recipient: string; franchiseId: number | null };

/** Where the first receipt went that the caller may see, and whose people typed the address. */
export async function findFirstAddress(
  db: Queryable,
  { paymentId, actorId }: { paymentId: string; actorId: string },
): Promise<ReceiptAddress | undefined> {
  const [row] = await query<ReceiptAddress>(db)`
    SELECT m.recipient, m.franchise_id AS "franchiseId" FROM outgoing_mail m
     WHERE m.intent_id = ${paymentId} AND m.kind = 'payment-receipt' AND m.recipient <> '' AND ${maySeeRecipient(actorId)}
     ORDER BY m.created_at, m.id LIMIT 1`;
  return row;
}

export type ReceiptRefundRow = { refundedAt: string; timeZone: string; amountCents: number };

/** A payment's refunds, oldest first, limited to the lines that the caller sees. */
export async function selectReceiptRefunds(
  db: Queryable,
  { paymentId, actorId }: { paymentId: string; actorId: string },
): Promise<ReceiptRefundRow[]> {
  return query<ReceiptRefundRow>(db)`
    SELECT ${instantText(sql`r.made_at`)} AS "refundedAt",
           -- As on the payer's page and PDF: a refund of offices in several zones has the day of its first line.
           (array_agg(f.time_zone ORDER BY i.franchise_id, i.work_order_number))[1] AS "timeZone",
           sum(${partsOf('l')})::bigint AS "amountCents"
      FROM charge c
      JOIN refund r ON r.charge_id = c.id AND ${isMade('r')}
      JOIN refund_line l ON l.refund_id = r.id
      JOIN invoice i ON i.id = l.invoice_id
      JOIN visible_franchise v ON v.franchise_id = i.franchise_id AND v.actor_id = ${actorId}
      JOIN franchise f ON f.id = i.franchise_id
     WHERE c.intent_id = ${paymentId} GROUP BY r.id ORDER BY r.made_at, r.id`;
}
