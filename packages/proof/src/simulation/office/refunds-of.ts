import type { SimulationRig } from '../rig.ts';
import type { World } from '../world/world.ts';

export type SimulatedRefund = {
  refundId: string;
  requestId: string;
  requestedBy: string;
  chargeId: string;
  chargeState: string;
  orderId: string;
  state: string;
  method: 'void' | 'refund' | null;
  amount: string;
  key: string | null;
  isSent: boolean;
  isUndone: boolean;
  isDisputed: boolean;
  isClosed: boolean;
  heldFor: string | null;
  beforeKeys: string[];
  made: number;
  undone: number;
  ended: number;
};

/** The refunds of a world's payments, in an order that doesn't depend on random ids. */
export async function refundsOf(
  { admin }: Pick<SimulationRig, 'admin'>,
  { invoices }: Pick<World, 'invoices'>,
): Promise<SimulatedRefund[]> {
  const mails = (kind: string) =>
    `(SELECT count(*)::integer FROM outgoing_mail m WHERE m.refund_id = r.id AND m.kind = '${kind}')`;
  const { rows } = await admin.query<SimulatedRefund>(
    `SELECT r.id AS "refundId", q.id AS "requestId", q.actor AS "requestedBy", c.id AS "chargeId",
            c.state AS "chargeState", c.order_id AS "orderId", r.state, r.method,
            to_char(r.amount_cents / 100.0, 'FM999999990.00') AS amount, r.transaction_key AS key,
            r.sent_at IS NOT NULL AS "isSent", r.undone_at IS NOT NULL AS "isUndone",
            r.closed_at IS NOT NULL AS "isClosed", r.held_for AS "heldFor", r.before_keys AS "beforeKeys",
            EXISTS (SELECT FROM dispute d WHERE d.charge_id = c.id AND d.outcome IS DISTINCT FROM 'won') AS "isDisputed",
            ${mails('refund-made')} AS made, ${mails('refund-undone')} AS undone, ${mails('refund-ended')} AS ended
       FROM refund r JOIN refund_request q ON q.id = r.request_id JOIN charge c ON c.id = r.charge_id
      WHERE EXISTS (SELECT FROM refund_line l WHERE l.refund_id = r.id AND l.invoice_id = ANY($1))
      ORDER BY (SELECT min(l.invoice_id) FROM refund_line l WHERE l.refund_id = r.id), q.created_at, r.amount_cents`,
    [invoices.map(({ invoiceId }) => invoiceId)],
  );
  return rows;
}
