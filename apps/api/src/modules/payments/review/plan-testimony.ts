import type { Testimony } from '@brightpane/contract/office/review-decisions';
import type { ChargeState } from '../../../db/schema/payments.ts';
import type { Deps } from '../../../deps.ts';
import type { HoldState } from '../../../gateway/payment-gateway.ts';
import { fail, ok } from '../../../http/result.ts';
import { isKeyTaken } from '../engine/charges.queries.ts';
import { findTransaction } from '../sweep/find-transaction.ts';
import type { Plan, ReviewRefusal } from './plan.ts';
import { isPaid, recordsOf } from './records-of.ts';
import type { ReviewedCharge } from './review.queries.ts';

type TestimonyEvent = 'confirm-capture' | 'refuse-capture' | 'confirm-reversal' | 'close';

/** What each testimony means for a charge in each state that a person may end by it. */
const EVENTS: Record<Testimony, Partial<Record<ChargeState, readonly TestimonyEvent[]>>> = {
  collected: { accepted: ['confirm-capture'], reversing: ['confirm-capture'] },
  'nothing-taken': {
    accepted: ['refuse-capture', 'confirm-reversal'],
    reversing: ['confirm-reversal'],
    unresolved: ['close'],
    conflict: ['close'],
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
  const events = EVENTS[testimony][charge.state];
  if (!events) return fail('not-for-this-state');
  const shown = await look(deps, charge);
  const refusal = testimony === 'collected' ? deniesCapture(shown) : deniesNothing(charge, shown);
  if (refusal) return fail(refusal);
  const { chargeId, fence } = charge;
  return ok(events.map((event) => ({ event, chargeId, fence })));
}

/** What the provider shows. `out-of-reach`: it refuses our keys, or they don't reach the transaction. */
type Shown = HoldState | 'out-of-reach' | 'unclear';

function look(deps: Deps, charge: ReviewedCharge): Promise<Shown> {
  // In a conflict it is the key that can't be trusted.
  const isByKey = charge.transactionKey !== null && charge.state !== 'conflict';
  return isByKey ? lookByKey(deps, charge) : lookByOrder(deps, charge);
}

async function lookByKey(deps: Deps, charge: ReviewedCharge): Promise<Shown> {
  const standing = await findTransaction(deps, charge);
  switch (standing.kind) {
    case 'found':
      return standing.transaction.state;
    case 'refused':
    case 'not-found':
      return standing.mayBeElsewhere ? 'unclear' : 'out-of-reach';
    default:
      return 'unclear';
  }
}

/** Leaves out transactions of other charges. */
async function lookByOrder(deps: Deps, charge: ReviewedCharge): Promise<Shown> {
  const { rows, scan } = await recordsOf(deps, charge);
  const { chargeId } = charge;
  const areTaken = await Promise.all(rows.map((row) => isKeyTaken(deps.db.query, { chargeId, ...row })));
  const own = rows.filter((_, index) => !areTaken[index]);
  const live = own.find(isPaid) ?? own.find(({ state }) => state === 'held' || state === 'other');
  if (live) return live.state;
  if (scan.isComplete) return 'none';
  return scan.stoppedBy === 'refused' ? 'out-of-reach' : 'unclear';
}

function deniesCapture(shown: Shown): ReviewRefusal | null {
  if (shown === 'unclear') return 'records-unclear';
  return shown === 'out-of-reach' || isPaid({ state: shown }) ? null : 'not-collected';
}

function deniesNothing(charge: ReviewedCharge, shown: Shown): ReviewRefusal | null {
  switch (shown) {
    case 'unclear':
      return 'records-unclear';
    case 'captured':
    case 'settled':
      // Nothing of ours captured a conflict; whoever did has given it back by hand, which its row doesn't show.
      return charge.state === 'conflict' ? null : 'captured';
    case 'held':
    case 'other':
      return mayStillBeCaptured(charge) ? 'still-held' : null;
    default:
      return null;
  }
}

/** Longer than the provider and the card networks keep any authorization. */
const HOLD_ENDS_SECONDS = 31 * 24 * 60 * 60;

/** While it is accepted, we ask for its capture ourselves. */
const mayStillBeCaptured = ({ state, isUncapturable, ageSeconds }: ReviewedCharge) =>
  state === 'accepted' || !(isUncapturable || ageSeconds > HOLD_ENDS_SECONDS);
