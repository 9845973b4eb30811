import type { Cents } from '@brightpane/money/cents';
import { ofOffices, recordAct } from '../../../../db/audit.queries.ts';
import type { Queryable } from '../../../../db/client.ts';
import type { OfficeCaller } from '../../../../http/office-caller.ts';
import { fail, ok } from '../../../../http/result.ts';
import { lockIntent } from '../../../payments/engine/payments.queries.ts';
import { findDisputable, insertDispute } from './disputes.queries.ts';

/** Records a dispute from the card company's letter; from now on its charge isn't refunded. */
export async function recordDispute(
  tx: Queryable,
  {
    caller,
    ...dispute
  }: {
    caller: OfficeCaller;
    chargeId: string;
    amountCents: Cents;
    openedOn: string;
    answerBy: string | null;
    note: string | null;
  },
) {
  const { chargeId, amountCents, note } = dispute;
  const charge = await findDisputable(tx, { actorId: caller.id, chargeId });
  if (!charge) return fail('charge-not-found');
  if (amountCents > charge.amountCents) return fail('dispute-too-large', { mostCents: charge.amountCents });
  await lockIntent(tx, charge.paymentId);
  const disputeId = await insertDispute(tx, dispute);
  await recordAct(tx, caller, {
    action: 'record-dispute',
    subject: `payment ${charge.paymentId}`,
    ...ofOffices(charge.franchiseIds),
    after: { chargeId, amountCents, openedOn: dispute.openedOn },
    ...(note !== null && { reason: note }),
  });
  return ok({ disputeId });
}
