import type { ReviewDecision } from '@brightpane/contract/office/review-decisions';
import type { Act, Actor } from '../../../db/audit.queries.ts';
import type { Deps } from '../../../deps.ts';
import { isPaidThere, mayHold } from '../../../gateway/payment-gateway.ts';
import { type Failure, fail, ok, type Success } from '../../../http/result.ts';
import { decide } from '../engine/decide.ts';
import { lookAtCharge } from './look-at-charge.ts';
import { planTestimony } from './plan-testimony.ts';
import { recordsOf } from './records-of.ts';
import { endLease, findChargeState, leaseReviewed, type ReviewedCharge } from './review.queries.ts';
import type { Plan, ReviewRefusal } from './review-refusal.ts';

type Reviewed = Success<{ state: string }> | Failure<ReviewRefusal>;

/**
 * A person's decision on a charge that the sweep can't end: `release` a hold found after all, `close` one that nobody
 * will find, `reverse` an accepted charge that was never captured; or what they saw at the provider, which ends a charge
 * that its answers can't. None of them captures anything, and each asks the provider's own records first.
 */
export async function reviewCharge(
  deps: Deps,
  {
    chargeId,
    decision,
    note,
    actor,
  }: { chargeId: string; decision: ReviewDecision; note?: string | undefined; actor: Actor },
): Promise<Reviewed> {
  const charge = await leaseReviewed(deps.db.query, { chargeId });
  if (!charge) return fail('not-in-review');
  if (charge === 'leased') return fail('busy');
  const planned = await plan(deps, { charge, decision });
  if (!planned.ok) {
    await endLease(deps.db.query, charge);
    return planned;
  }
  const act: Act = {
    action: `review: ${decision}`,
    subject: `charge ${chargeId}`,
    // The decision clears it from the charge, and the payment's timeline still tells it.
    detail: { from: charge.state, orderId: charge.orderId, reviewSince: charge.reviewSince },
    reason: note,
  };
  const { intentId } = charge;
  const decided = await decide(deps, {
    intentId,
    decision: { ...planned.value, audit: { by: actor, act } },
  });
  // Reading the provider's list outlasted the lease, and the sweep continued.
  if (decided.result !== 'applied') return fail('busy');
  const state = await findChargeState(deps.db.query, chargeId);
  return ok({ state });
}

function plan(
  deps: Deps,
  { charge, decision }: { charge: ReviewedCharge; decision: ReviewDecision },
): Promise<Plan> {
  switch (decision) {
    case 'release':
      return planRelease(deps, charge);
    case 'close':
      return planClose(deps, charge);
    case 'reverse':
      return planReverse(deps, charge);
    case 'collected':
    case 'nothing-taken':
      return planTestimony(deps, { charge, testimony: decision });
  }
}

async function planRelease(deps: Deps, charge: ReviewedCharge): Promise<Plan> {
  if (charge.state !== 'unresolved') return fail('not-for-this-state');
  const { rows, rest } = await recordsOf(deps, charge);
  const holds = rows.filter(mayHold);
  const own = holds.find(({ transactionKey }) => transactionKey === charge.transactionKey);
  if (!own && rows.some(isPaidThere)) return fail('captured');
  const hold = own ?? holds[0];
  const { chargeId, fence } = charge;
  if (hold) return ok({ event: 'find-hold', chargeId, fence, hold });
  return fail(rest === 'nothing' ? 'no-hold' : 'records-unclear');
}

/** Trusts the person's own look; only checks that the records show no hold. */
async function planClose(deps: Deps, charge: ReviewedCharge): Promise<Plan> {
  if (charge.state !== 'unresolved') return fail('not-for-this-state');
  const { rows } = await recordsOf(deps, charge);
  // A captured transaction must be fixed at the provider by a person; closing says that they did.
  if (rows.some(mayHold)) return fail('records-unclear');
  return ok({ event: 'close', chargeId: charge.chargeId, fence: charge.fence });
}

async function planReverse(deps: Deps, charge: ReviewedCharge): Promise<Plan> {
  if (charge.state !== 'accepted' && charge.state !== 'reversing') return fail('not-for-this-state');
  const { shown, isByKey } = await lookAtCharge(deps, charge);
  if (shown === 'unclear' || shown === 'out-of-reach') return fail('records-unclear');
  const state = shown === 'absent' ? 'none' : shown;
  if (isPaidThere({ state })) return fail('captured');
  const { chargeId, fence } = charge;
  const isAccepted = charge.state === 'accepted';
  // The sweep releases what its key reaches and sees it gone; otherwise there is nothing to wait for.
  if (isByKey) {
    return isAccepted ? ok({ event: 'refuse-capture', chargeId, fence }) : fail('not-for-this-state');
  }
  if (mayHold({ state })) return fail('still-held');
  return ok({ event: 'confirm-reversal', ...(isAccepted && { after: 'refuse-capture' }), chargeId, fence });
}
