import type { Deps } from '../../../deps.ts';
import type { AuthorizeOutcome } from '../../../gateway/payment-gateway.ts';
import type { ApprovedCharge } from '../engine/charges.queries.ts';
import { type Begun, decideUntilKnown } from '../engine/decide-until-known.ts';
import type { Abandonment, StoredOutcome } from '../engine/outcomes.ts';

export type FailedOutcome = Exclude<AuthorizeOutcome, { kind: 'approved' }>;

/** Whether the provider's answer proves that nothing is held. */
export function holdsNothing({ kind }: FailedOutcome): boolean {
  return kind === 'declined' || kind === 'not-sent' || kind === 'not-executed';
}

/** The outcome stored for a payment whose authorization failed; names the franchise if the payment has several. */
export function abandonmentOf(
  outcome: FailedOutcome,
  { franchise, isHeld }: { franchise: string | null; isHeld: boolean },
): Abandonment {
  switch (outcome.kind) {
    case 'not-sent':
    case 'not-executed':
      return { code: 'not-asked', franchise, isHeld };
    case 'declined':
      return { code: 'declined', sentence: outcome.sentence, franchise, isHeld };
    case 'hold-possible':
      return { code: outcome.reason, franchise };
    case 'duplicate':
    case 'unknown':
      return { code: 'unclear', franchise };
  }
}

/**
 * Abandons the whole payment. Returns the stored outcome: this one, or what somebody else decided first. `null`: the
 * database didn't let us find out.
 */
export async function abandonPayment(
  deps: Deps,
  {
    begun,
    abandonment,
    refused = [],
    approved = null,
  }: { begun: Begun; abandonment: Abandonment; refused?: string[]; approved?: ApprovedCharge | null },
): Promise<StoredOutcome | null> {
  const declined = abandonment.code === 'declined';
  const ended = await decideUntilKnown(deps, begun, {
    event: 'abandon',
    outcome: abandonment,
    refused,
    declined,
    approved,
  });
  if (ended === 'applied') return abandonment;
  // Another transaction's key proves nothing about ours; the look-up by order id decides.
  if (ended === 'key-taken') return abandonPayment(deps, { begun, abandonment, refused });
  return ended?.result === 'decided' ? ended.outcome : null;
}
