import { ofOffices, PORTAL, recordAct } from '../../../../db/audit.queries.ts';
import type { Queryable } from '../../../../db/client.ts';
import type { RefundState } from '../../../../db/schema/refunds.ts';
import { wake } from '../../../../jobs/wake.ts';
import { columnsOf } from './refund-columns.queries.ts';
import type { RefundDecision } from './refund-decision.ts';
import { tellOfRefund } from './refund-mails.ts';
import { type DecidedRefund, moveRefund } from './refund-moves.queries.ts';
import { refundTransitionOf } from './refund-transitions.ts';

type Given = { intentId: string; refund: DecidedRefund; decision: RefundDecision };

/** Applies the table's row for an event, its locks already taken: state, audit entry and mails. */
export async function moveByEvent(tx: Queryable, given: Given): Promise<boolean> {
  const { refund, decision } = given;
  const transition = refundTransitionOf(decision.event);
  const againInSeconds = 'againInSeconds' in decision ? decision.againInSeconds : undefined;
  const target = { refundId: refund.refundId, fence: decision.fence, againInSeconds };
  const after = await moveRefund(tx, target, { transition, also: columnsOf(decision) });
  if (!after) return false;
  await writeDown(tx, given, after);
  await tellOfRefund(tx, { event: decision.event, refundId: refund.refundId });
  if (transition.wakes) wake(tx, transition.wakes);
  return true;
}

async function writeDown(
  tx: Queryable,
  { intentId, refund, decision }: Given,
  after: RefundState,
): Promise<void> {
  const { refundId, state, amountCents } = refund;
  const { event, actor = PORTAL, note } = decision;
  await recordAct(tx, actor, {
    action: `refund: ${event}`,
    subject: `refund ${refundId}`,
    ...ofOffices(refund.franchiseIds),
    detail: {
      paymentId: intentId,
      amountCents,
      ...('heldFor' in decision && { heldFor: decision.heldFor }),
      ...('method' in decision && { method: decision.method }),
      ...('words' in decision && { words: decision.words }),
    },
    before: { state },
    after: { state: after },
    reason: note,
  });
}
