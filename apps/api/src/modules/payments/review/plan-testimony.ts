import type { Testimony } from '@brightpane/contract/office/review-decisions';
import type { ChargeState } from '../../../db/schema/payments.ts';
import type { Deps } from '../../../deps.ts';
import { isPaidThere } from '../../../gateway/payment-gateway.ts';
import { fail, ok } from '../../../http/result.ts';
import { type Look, lookAtCharge } from './look-at-charge.ts';
import type { ReviewedCharge } from './review.queries.ts';
import type { Plan, ReviewRefusal } from './review-refusal.ts';

type Ending =
  | { event: 'confirm-capture' | 'close' }
  | { event: 'confirm-reversal'; after?: 'refuse-capture' };

/** What each testimony means for a charge in each state that a person may end by it. */
const ENDINGS: Record<Testimony, Partial<Record<ChargeState, Ending>>> = {
  collected: { accepted: { event: 'confirm-capture' }, reversing: { event: 'confirm-capture' } },
  'nothing-taken': {
    accepted: { event: 'confirm-reversal', after: 'refuse-capture' },
    reversing: { event: 'confirm-reversal' },
    unresolved: { event: 'close' },
    conflict: { event: 'close' },
  },
};

/**
 * Ends a charge by what a person saw in the provider's own console. Their word fills in what the provider won't tell us;
 * it never overrules what it does tell (decision 91).
 */
export async function planTestimony(
  deps: Deps,
  { charge, testimony }: { charge: ReviewedCharge; testimony: Testimony },
): Promise<Plan> {
  const ending = ENDINGS[testimony][charge.state];
  if (!ending) return fail('not-for-this-state');
  const look = await lookAtCharge(deps, charge);
  const refusal = testimony === 'collected' ? deniesCapture(look) : deniesNothing(charge, look);
  if (refusal) return fail(refusal);
  const { chargeId, fence } = charge;
  return ok({ ...ending, chargeId, fence });
}

function deniesCapture({ shown }: Look): ReviewRefusal | null {
  if (shown === 'unclear') return 'records-unclear';
  // Keys that don't know the transaction may reach another account by now.
  if (shown === 'out-of-reach' || shown === 'absent') return null;
  return isPaidThere({ state: shown }) ? null : 'not-collected';
}

function deniesNothing(charge: ReviewedCharge, look: Look): ReviewRefusal | null {
  switch (look.shown) {
    case 'unclear':
      return 'records-unclear';
    case 'captured':
    case 'settled':
      // Nothing of ours captured a conflict; whoever did has given it back by hand, which its row doesn't show.
      return charge.state === 'conflict' ? null : 'captured';
    case 'held':
    case 'other':
      return mayStillBeCaptured(charge, look) ? 'still-held' : null;
    default:
      return null;
  }
}

/** Longer than the provider and the card networks keep any authorization. */
const HOLD_ENDS_SECONDS = 31 * 24 * 60 * 60;

/** What its key reaches, we ask for ourselves while it is accepted, and so the provider has called uncapturable. */
function mayStillBeCaptured(
  { state, isUncapturable, ageSeconds }: ReviewedCharge,
  { isByKey }: Look,
): boolean {
  if (isByKey && state === 'accepted') return true;
  return !((isByKey && isUncapturable) || ageSeconds > HOLD_ENDS_SECONDS);
}
