import type { Queryable } from '../../../../db/client.ts';
import type { OfficeCaller } from '../../../../http/office-caller.ts';
import { type Failure, fail, ok, type Success } from '../../../../http/result.ts';
import { decideRefundIn, type RefundDeps } from '../../../payments/refunds/decide-refund.ts';
import { findRefundRow, hasHiddenLines } from '../refund-rows.queries.ts';

export type ApprovalRefusal = 'refund-not-found' | 'not-allowed' | 'own-request' | 'not-requested';

/** Approves the whole request. Needs another person, who sees all of its franchises. */
export async function approveRefund(
  deps: RefundDeps,
  tx: Queryable,
  { caller, refundId, confirm }: { caller: OfficeCaller; refundId: string; confirm: () => Promise<void> },
): Promise<Success<null> | Failure<ApprovalRefusal>> {
  const seen = { actorId: caller.id, refundId };
  const refund = await findRefundRow(tx, seen);
  if (!refund) return fail('refund-not-found');
  const { requestId, paymentId } = refund;
  if (await hasHiddenLines(tx, { actorId: caller.id, requestId })) return fail('not-allowed');
  if (refund.actorId === caller.id) return fail('own-request');
  await confirm();
  const decision = { event: 'approve', refundId, actor: caller } as const;
  const decided = await decideRefundIn(deps, tx, { intentId: paymentId, decision });
  return decided.result === 'applied' ? ok(null) : fail('not-requested');
}
