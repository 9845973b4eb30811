import { sql } from 'drizzle-orm';
import { isRefunded, refundedCash } from '../../invoices/refunded.queries.ts';

/** Refunds of a line `line`, as `refunded`: their sum in cents, and each as a `LineRefund`, oldest first. */
export const refundedOfLine = sql`
  CROSS JOIN LATERAL (
    SELECT coalesce(sum(${refundedCash}), 0)::bigint AS cents,
           coalesce(json_agg(json_build_object('refundId', r.id, 'refundedAt', r.made_at, 'amountCents', ${refundedCash})
                             ORDER BY r.made_at, r.id), '[]') AS refunds
      FROM refund_line l JOIN refund r ON r.id = l.refund_id
     WHERE l.invoice_id = line.invoice_id AND l.charge_id = line.charge_id AND ${isRefunded}) AS refunded`;

/** One line's part of a refund. */
export type LineRefund = { refundId: string; refundedAt: string; amountCents: number };
