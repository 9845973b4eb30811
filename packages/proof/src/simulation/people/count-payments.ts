import type pg from 'pg';
import type { World } from '../world/world.ts';

/** Payments in the books, however often people were told of them. */
export type PaymentCounts = {
  /** Accepted payments. */
  accepted: number;
  /** Charges whose money was taken; a payment has one per merchant account. */
  captured: number;
};

export async function countPayments(admin: pg.Pool, world: World): Promise<PaymentCounts> {
  const { rows } = await admin.query<PaymentCounts>(
    `SELECT count(DISTINCT p.id) FILTER (WHERE p.state = 'accepted')::integer AS accepted,
            count(DISTINCT c.id) FILTER (WHERE c.state = 'captured')::integer AS captured
       FROM charge c JOIN payment_intent p ON p.id = c.intent_id JOIN charge_allocation a ON a.charge_id = c.id
      WHERE a.invoice_id = ANY($1)`,
    [world.invoices.map(({ invoiceId }) => invoiceId)],
  );
  return rows[0] ?? { accepted: 0, captured: 0 };
}

/** Refunds in the books. */
export type RefundCounts = {
  requested: number;
  /** Refunds that the provider shows, undone ones included. */
  refunded: number;
};

export async function countRefunds(admin: pg.Pool, world: World): Promise<RefundCounts> {
  const { rows } = await admin.query<RefundCounts>(
    `SELECT count(DISTINCT r.id)::integer AS requested,
            count(DISTINCT r.id) FILTER (WHERE r.state = 'made')::integer AS refunded
       FROM refund r JOIN refund_line l ON l.refund_id = r.id WHERE l.invoice_id = ANY($1)`,
    [world.invoices.map(({ invoiceId }) => invoiceId)],
  );
  return rows[0] ?? { requested: 0, refunded: 0 };
}
