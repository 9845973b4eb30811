import type { RefundReason } from '@brightpane/contract/office/refunds';
import { RIGHTS_OF, type Right, ROLES } from '@brightpane/contract/office-rights';
import { cents } from '@brightpane/money/cents';
import { sumOfParts } from '@brightpane/money/parts';
import type { Queryable } from '../../../../db/client.ts';
import type { Deps } from '../../../../deps.ts';
import type { OfficeCaller } from '../../../../http/office-caller.ts';
import { type Failure, fail, ok, type Success } from '../../../../http/result.ts';
import { queueMail } from '../../../../mail/queue-mail.queries.ts';
import { refundToApproveMail } from '../../../../mail/templates/refunds.ts';
import type { RequestedLine } from '../../../payments/refunds/request-refunds.queries.ts';
import { requestRefunds } from '../../../payments/refunds/request-refunds.ts';
import { listAllowances, listApprovers } from './refund-requests.queries.ts';

export type PlacedLine = RequestedLine & { chargeId: string; franchiseId: number };

type Given = {
  caller: OfficeCaller;
  paymentId: string;
  idemKey: string;
  requestHash: string;
  reason: RefundReason;
  note: string | null;
  lines: PlacedLine[];
  retryOf?: string;
  /** Called if the request exceeds the caller's limits. */
  confirm: () => Promise<void>;
};

const totalOf = (lines: RequestedLine[]) => lines.reduce((sum, line) => sum + sumOfParts(line), 0);

/**
 * Places a priced request, one refund per charge. Above the limits another person has to approve it. Nothing for a
 * caller who has lost one of the franchises since the lines were read: their limits there are unknown.
 */
export async function placeRequest(
  { env }: Pick<Deps, 'env'>,
  tx: Queryable,
  { caller, paymentId, lines, retryOf, confirm, ...request }: Given,
): Promise<Success<{ requestId: string; needsApproval: boolean }> | Failure<'not-seen'>> {
  const byFranchise = Map.groupBy(lines, ({ franchiseId }) => franchiseId);
  const franchiseIds = [...byFranchise.keys()];
  const allowances = await listAllowances(tx, { actorId: caller.id, paymentId, franchiseIds });
  if (allowances.length < franchiseIds.length) return fail('not-seen');
  const needsApproval = allowances.some((allowance) => {
    const asked = totalOf(byFranchise.get(allowance.franchiseId) ?? []);
    return (
      allowance.ofPaymentCents + asked > allowance.limitCents ||
      allowance.ofDayCents + asked > allowance.dayLimitCents
    );
  });
  if (needsApproval) await confirm();
  const byCharge = Map.groupBy(lines, ({ chargeId }) => chargeId);
  const { requestId, refunds } = await requestRefunds(tx, {
    ...request,
    intentId: paymentId,
    actor: caller,
    needsApproval,
    refunds: [...byCharge].map(([chargeId, own]) => ({ chargeId, lines: own, retryOf })),
  });
  if (needsApproval) {
    const officeUrl = env.OFFICE_URL;
    const content = refundToApproveMail({
      amountCents: cents(totalOf(lines)),
      by: caller.name,
      url: `${officeUrl}/office/refunds?needs=approval`,
    });
    for (const recipient of await listApprovers(tx, { franchiseIds, actorId: caller.id, roles: APPROVERS }))
      await queueMail(tx, {
        kind: 'refund-to-approve',
        recipient,
        content,
        intentId: paymentId,
        // Stands for the request, so that other offices of the payment aren't shown the mail.
        refundId: refunds[0]?.refundId,
      });
  }
  return ok({ requestId, needsApproval });
}

const APPROVERS = ROLES.filter((role) => (RIGHTS_OF[role] as readonly Right[]).includes('approve'));
