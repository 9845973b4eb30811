import type { Queryable } from '../../../../db/client.ts';
import { moveByEvent } from './move-by-event.ts';
import { findRefund, listDroppable } from './refund-moves.queries.ts';

/** A charge is not collected after all: nothing of it can go back. In the caller's commit, the payment locked. */
export async function dropRefunds(
  tx: Queryable,
  { intentId, chargeId }: { intentId: string; chargeId: string },
): Promise<void> {
  for (const refundId of await listDroppable(tx, { chargeId })) {
    const refund = await findRefund(tx, refundId);
    if (refund) await moveByEvent(tx, { intentId, refund, decision: { event: 'drop', refundId } });
  }
}
