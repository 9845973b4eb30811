import type { Deps } from '../../../../deps.ts';
import { decideRefund } from '../decide-refund.ts';
import { listExpiredRefunds } from '../refund-lists.queries.ts';

/** Withdraws requests that nobody approved in time; by then the requester has found another way, or should. */
export async function expireRefunds(deps: Deps): Promise<void> {
  for (const { refundId, intentId } of await listExpiredRefunds(deps.db.query))
    await decideRefund(deps, { intentId, decision: { event: 'expire', refundId } });
}
