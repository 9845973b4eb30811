import type { Queryable } from '../../../db/client.ts';
import type { Deps } from '../../../deps.ts';
import type { OfficeCaller } from '../../../http/office-caller.ts';
import { ok, type Success } from '../../../http/result.ts';
import { allOrNothing } from '../../acts/all-or-nothing.ts';
import { decideRefundIn } from '../../payments/refunds/decide-refund.ts';
import {
  type GivenDecision,
  type HeldRefundRefusal,
  planHeldRefund,
} from '../../payments/refunds/plan-held-refund.ts';
import { endRefundLease, leaseReviewedRefund } from '../../payments/refunds/sweep/refund-leases.queries.ts';
import { findRefundRow } from './refund-rows.queries.ts';

export type DecisionRefusal = { ok: false } & (HeldRefundRefusal | { code: 'refund-not-found' });

const refuse = (refused: HeldRefundRefusal | { code: 'refund-not-found' }): DecisionRefusal => ({
  ok: false,
  ...refused,
});

/**
 * Carries out a person's decision on a held refund. The provider is asked first, and its
 * records limit what is possible.
 */
export async function decideHeldRefund(
  deps: Deps,
  {
    caller,
    refundId,
    requireFactor,
    confirm,
    ...given
  }: {
    caller: OfficeCaller;
    refundId: string;
    note: string;
    /** Called before asking the provider, which is only worth it with a second factor. */
    requireFactor: () => void;
    confirm: (tx: Queryable) => Promise<void>;
  } & GivenDecision,
): Promise<Success<null> | DecisionRefusal> {
  const { query } = deps.db;
  if (!(await findRefundRow(query, { actorId: caller.id, refundId })))
    return refuse({ code: 'refund-not-found' });
  requireFactor();
  const refund = await leaseReviewedRefund(query, { refundId, mayBeMade: given.decision === 'not-made' });
  if (!refund) return refuse({ code: 'not-held' });
  if (refund === 'leased') return refuse({ code: 'busy' });
  const { intentId, fence } = refund;
  try {
    const planned = await planHeldRefund(deps, refund, given);
    if ('code' in planned) return refuse(planned);
    return await allOrNothing<Success<null> | DecisionRefusal>(deps.db, async (tx) => {
      await confirm(tx);
      const decision = { ...planned, refundId, fence, actor: caller, note: given.note };
      const decided = await decideRefundIn(deps, tx, { intentId, decision });
      if (decided.result === 'applied') return ok(null);
      return refuse({ code: decided.result === 'taken' ? 'transaction-taken' : 'busy' });
    });
  } finally {
    await endRefundLease(query, refund);
  }
}
