import type { Actor } from '../../../db/audit.queries.ts';
import type { Deps } from '../../../deps.ts';
import { wake } from '../../../jobs/wake.ts';
import { markFoundPaymentAcknowledged } from '../epoch/restore.queries.ts';

/**
 * A person's word that a found payment is dealt with: the office has booked it as paid elsewhere, or it was voided or
 * refunded at the provider. Its work orders can be paid from then on.
 */
export function acknowledgeFoundPayment(
  { db }: Pick<Deps, 'db'>,
  { orderId, actor }: { orderId: string; actor: Actor },
): Promise<boolean> {
  return db.transaction(async (tx) => {
    const isAcknowledged = await markFoundPaymentAcknowledged(tx, { orderId, actor });
    // The last one that was in the way opens payments.
    if (isAcknowledged) wake(tx, 'compare-after-restore');
    return isAcknowledged;
  });
}
