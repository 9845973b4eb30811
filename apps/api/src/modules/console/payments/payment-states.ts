import type { PAYMENT_KINDS, PaymentState } from '@brightpane/contract/office/payments';
import type { ChargeState } from '../../../db/schema/payments.ts';

type Outcome = 'accepted' | 'declined' | 'abandoned';

type Share = {
  outcome: Outcome;
  chargeState: ChargeState;
  amountCents: number;
  /** Already refunded of it. */
  refundedCents: number;
};

/** The card may be held or charged, and only a look at the provider tells. */
export const isUnclear = (chargeState: ChargeState): boolean =>
  chargeState === 'unresolved' || chargeState === 'conflict';

/** A share's state in lists; for an accepted one, its charge's later state counts. */
export function paymentState({ outcome, chargeState, amountCents, refundedCents }: Share): PaymentState {
  if (isUnclear(chargeState)) return 'review';
  if (outcome === 'declined') return 'declined';
  if (outcome === 'abandoned') return 'not-charged';
  if (chargeState === 'reversing' || chargeState === 'capture_failed') return 'failed';
  if (refundedCents === 0) return 'paid';
  return refundedCents < amountCents ? 'partly-refunded' : 'refunded';
}

/** Who paid: an account holder or a guest. */
export const paymentKind = (kind: 'guest' | 'portal'): (typeof PAYMENT_KINDS)[number] =>
  kind === 'portal' ? 'account' : 'guest';
