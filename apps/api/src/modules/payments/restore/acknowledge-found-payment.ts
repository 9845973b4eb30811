import type { Actor } from '../../../db/audit.queries.ts';
import type { Deps } from '../../../deps.ts';
import { wake } from '../../../jobs/wake.ts';
import { markFoundPaymentAcknowledged } from './found-payments.queries.ts';

/**
 * A person confirms that a found payment is dealt with: booked by the office as paid elsewhere, or voided or refunded
 * at the provider. From then on its work orders can be paid.
 */
export function acknowledgeFoundPayment(
  { db }: Pick<Deps, 'db'>,
  { orderId, actor }: { orderId: string; actor: Actor },
): Promise<boolean> {
  return db.transaction(async (tx) => {
    const isAcknowledged = await markFoundPaymentAcknowledged(tx, { orderId, actor });
    // If this was the last one in the way, payments open.
    if (isAcknowledged) wake(tx, 'compare-after-restore');
    return isAcknowledged;
  });
}
