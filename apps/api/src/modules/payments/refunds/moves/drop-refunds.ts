import type { Queryable } from '../../../../db/client.ts';
import { moveByEvent } from './move-by-event.ts';
import { findRefund, listDroppable } from './refund-moves.queries.ts';

/**
 * Drops the refunds of a charge that isn't collected after all. Runs in the caller's commit, with the payment locked.
 */
export async function dropRefunds(
  tx: Queryable,
  { intentId, chargeId }: { intentId: string; chargeId: string },
): Promise<void> {
  for (const refundId of await listDroppable(tx, { chargeId })) {
    const refund = await findRefund(tx, refundId);
    if (refund) await moveByEvent(tx, { intentId, refund, decision: { event: 'drop', refundId } });
  }
}
