import { ofOffices, recordAct } from '../../../../db/audit.queries.ts';
import type { Queryable } from '../../../../db/client.ts';
import type { OfficeCaller } from '../../../../http/office-caller.ts';
import { type Failure, fail, ok, type Success } from '../../../../http/result.ts';
import { lockIntent } from '../../../payments/engine/payments.queries.ts';
import { decideRefundIn, type RefundDeps } from '../../../payments/refunds/decide-refund.ts';
import { closeRefund, findRefundRow, hasHiddenLines, type RefundRow } from '../refund-rows.queries.ts';

export type WithdrawalRefusal =
  | 'refund-not-found'
  | 'not-allowed'
  | 'too-late'
  | 'ended'
  | 'sent-again-already';

type Withdrawal = { caller: OfficeCaller; refundId: string; note: string };

/** Withdraws an unsent refund or closes a failed one. Allowed to its requester, and to approvers who see all of it. */
export async function withdrawRefund(
  deps: RefundDeps,
  tx: Queryable,
  withdrawal: Withdrawal,
): Promise<Success<null> | Failure<WithdrawalRefusal>> {
  const { caller, refundId, note } = withdrawal;
  const seen = { actorId: caller.id, refundId };
  const found = await findRefundRow(tx, seen);
  if (!found) return fail('refund-not-found');
  if (found.state === 'made' || found.state === 'withdrawn') return fail('ended');
  if (found.actorId !== caller.id) {
    const { requestId } = found;
    if (!caller.rights.has('approve')) return fail('not-allowed');
    if (await hasHiddenLines(tx, { ...seen, requestId })) return fail('not-allowed');
  }
  await lockIntent(tx, found.paymentId);
  const refund = (await findRefundRow(tx, seen)) ?? found;
  switch (refund.state) {
    case 'refused':
    case 'not_made':
      // Whoever closes it may have paid it back otherwise, not knowing that it goes back by card.
      if (refund.wasSentAgain) return fail('sent-again-already');
      return (await close(tx, refund, withdrawal)) ? ok(null) : fail('ended');
    case 'made':
    case 'withdrawn':
      return fail('ended');
  }
  const decision = { event: 'withdraw', refundId, actor: caller, note } as const;
  const decided = await decideRefundIn(deps, tx, { intentId: refund.paymentId, decision });
  return decided.result === 'applied' ? ok(null) : fail('too-late');
}

async function close(
  tx: Queryable,
  { paymentId, lines }: RefundRow,
  { caller, refundId, note }: Withdrawal,
): Promise<boolean> {
  if (!(await closeRefund(tx, { refundId, note }))) return false;
  await recordAct(tx, caller, {
    action: 'refund: close',
    subject: `refund ${refundId}`,
    ...ofOffices(lines.map(({ franchiseId }) => franchiseId)),
    detail: { paymentId },
    reason: note,
  });
  return true;
}
