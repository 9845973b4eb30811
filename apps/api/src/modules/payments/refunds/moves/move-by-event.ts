import { onlyOffice, PORTAL, recordAct } from '../../../../db/audit.queries.ts';
import type { Queryable } from '../../../../db/client.ts';
import { wake } from '../../../../jobs/wake.ts';
import { columnsOf } from './refund-columns.queries.ts';
import type { RefundDecision } from './refund-decision.ts';
import { tellOfRefund } from './refund-mails.ts';
import { type DecidedRefund, findRefund, moveRefund } from './refund-moves.queries.ts';
import { refundTransitionOf } from './refund-transitions.ts';

type Given = { intentId: string; refund: DecidedRefund; decision: RefundDecision };

/** Applies the table's row for an event, its locks already taken: state, audit entry and mails. */
export async function moveByEvent(tx: Queryable, given: Given): Promise<boolean> {
  const { refund, decision } = given;
  const transition = refundTransitionOf(decision.event);
  const againInSeconds = 'againInSeconds' in decision ? decision.againInSeconds : undefined;
  const target = { refundId: refund.refundId, fence: decision.fence, againInSeconds };
  if (!(await moveRefund(tx, target, { transition, also: columnsOf(decision) }))) return false;
  await writeDown(tx, given);
  await tellOfRefund(tx, { event: decision.event, refundId: refund.refundId });
  if (transition.wakes) wake(tx, transition.wakes);
  return true;
}

async function writeDown(tx: Queryable, { intentId, refund, decision }: Given): Promise<void> {
  const { refundId, state, amountCents } = refund;
  const { event, actor = PORTAL, note } = decision;
  const after = await findRefund(tx, refundId);
  await recordAct(tx, actor, {
    action: `refund: ${event}`,
    subject: `refund ${refundId}`,
    ...onlyOffice(refund.franchiseIds),
    detail: {
      paymentId: intentId,
      amountCents,
      ...('heldFor' in decision && { heldFor: decision.heldFor }),
      ...('method' in decision && { method: decision.method }),
      ...('words' in decision && { words: decision.words }),
    },
    before: { state },
    after: { state: after?.state },
    reason: note,
  });
}
