import type { Queryable } from '../../../../db/client.ts';
import { query } from '../../../../db/query.ts';
import { mayBeLost } from '../../epoch/epoch.queries.ts';

/** What speaks against "not charged" for one charge of a payment. */
export type ChargeDoubt = {
  /** The first of its work orders. */
  workOrderNumber: number;
  /** Whether a person has acknowledged what the provider has of its order and the books lack; null if there is nothing. */
  isChecked: boolean | null;
  /** Somebody may have captured its hold by hand, and a person has to look. */
  isUnclear: boolean;
  /** Newer books than these may have accepted its payment. */
  mayBeLost: boolean;
};

export async function listDoubts(
  db: Queryable,
  { intentId, publicUrl }: { intentId: string; publicUrl: string },
): Promise<ChargeDoubt[]> {
  return query<ChargeDoubt>(db)`
    SELECT (SELECT i.work_order_number FROM charge_allocation a JOIN invoice i ON i.id = a.invoice_id
             WHERE a.charge_id = c.id ORDER BY i.id LIMIT 1) AS "workOrderNumber",
           (SELECT bool_and(f.settled_at IS NOT NULL) FROM found_payment f WHERE f.order_id = c.order_id) AS "isChecked",
           c.state IN ('unresolved', 'conflict')
           OR EXISTS (SELECT FROM book_difference d
                       WHERE d.order_id = c.order_id AND d.kind = 'captured-but-not-accepted'
                         AND d.acknowledged_at IS NULL) AS "isUnclear",
           ${mayBeLost({ publicUrl })} AS "mayBeLost"
      FROM payment_intent p JOIN charge c ON c.intent_id = p.id
     WHERE p.id = ${intentId} ORDER BY c.created_at, c.id`;
}
