import type { Deps } from '../../../../deps.ts';
import { decideRefund } from '../decide-refund.ts';
import { listExpiredRefunds } from '../refund-lists.queries.ts';

/**
 * Withdraws requests that nobody approved in time; by then the requester has found another way, or should. One that fails
 * keeps no other from it; the first failure is thrown in the end.
 */
export async function expireRefunds(deps: Deps): Promise<void> {
  const failures: unknown[] = [];
  for (const { refundId, intentId } of await listExpiredRefunds(deps.db.query)) {
    const decided = decideRefund(deps, { intentId, decision: { event: 'expire', refundId } });
    await decided.catch((error: unknown) => void failures.push(error));
  }
  if (failures.length > 0) throw failures[0];
}
