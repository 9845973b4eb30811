import type { Deps } from '../../../deps.ts';
import { type HoldState, isPaidThere, mayHold } from '../../../gateway/payment-gateway.ts';
import { isKeyTaken } from '../engine/charges.queries.ts';
import { findTransaction } from '../sweep/find-transaction.ts';
import { recordsOf } from './records-of.ts';
import type { ReviewedCharge } from './review.queries.ts';

/** What the provider shows of a charge. */
export type Shown =
  | HoldState
  /** The account's keys don't know its transaction, and the whole list lacks its order. */
  | 'absent'
  /** The provider refuses all keys of its owner. */
  | 'out-of-reach'
  | 'unclear';

export type Look = {
  shown: Shown;
  /** By the charge's own key, so the sweep reaches the transaction, too. */
  isByKey: boolean;
};

/**
 * Looks at the charge's own transaction, which its key names; what else is under its order id is somebody else's. Only if
 * the key leads nowhere, or can't be trusted, the order id tells.
 */
export async function lookAtCharge(deps: Deps, charge: ReviewedCharge): Promise<Look> {
  // In a conflict it is the key that can't be trusted.
  if (charge.transactionKey === null || charge.state === 'conflict') return lookByOrder(deps, charge);
  const standing = await findTransaction(deps, charge);
  switch (standing.kind) {
    case 'found':
      return { shown: standing.transaction.state, isByKey: true };
    case 'foreign': {
      // Our own capture may have collected it: the first one is sent without a look.
      if (isPaidThere(standing.transaction)) return { shown: standing.transaction.state, isByKey: false };
      const { shown } = await lookByOrder(deps, charge);
      return { shown: shown === 'absent' ? 'none' : shown, isByKey: false };
    }
    case 'not-found':
      return standing.mayBeElsewhere ? UNCLEAR : lookByOrder(deps, charge);
    case 'refused':
      return { shown: standing.mayBeElsewhere ? 'unclear' : 'out-of-reach', isByKey: false };
    default:
      return UNCLEAR;
  }
}

const UNCLEAR: Look = { shown: 'unclear', isByKey: false };

/** Leaves out transactions of other charges. */
async function lookByOrder(deps: Deps, charge: ReviewedCharge): Promise<Look> {
  const { rows, rest } = await recordsOf(deps, charge);
  const { chargeId } = charge;
  const areTaken = await Promise.all(rows.map((row) => isKeyTaken(deps.db.query, { chargeId, ...row })));
  const own = rows.filter((_, index) => !areTaken[index]);
  const live = own.find(isPaidThere) ?? own.find(mayHold);
  if (live) return { shown: live.state, isByKey: false };
  if (rest !== 'nothing') return { shown: rest, isByKey: false };
  return { shown: own[0]?.state ?? 'absent', isByKey: false };
}
