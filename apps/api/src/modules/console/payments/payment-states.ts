import type { PAYMENT_KINDS, PaymentState } from '@brightpane/contract/office/payments';
import type { ChargeState } from '../../../db/schema/payments.ts';

type Outcome = 'accepted' | 'declined' | 'abandoned';

type Share = {
  outcome: Outcome;
  chargeState: ChargeState;
  amountCents: number;
  /** What was given back of it. */
  refundedCents: number;
};

/** What a share is called in lists; what became of its charge since counts for an accepted one. */
export function paymentState({ outcome, chargeState, amountCents, refundedCents }: Share): PaymentState {
  if (outcome === 'declined') return 'declined';
  if (outcome === 'abandoned') return 'not-charged';
  if (chargeState === 'reversing' || chargeState === 'capture_failed') return 'failed';
  if (refundedCents === 0) return 'paid';
  return refundedCents < amountCents ? 'partly-refunded' : 'refunded';
}

/** Who paid: somebody with an account, or a guest. */
export const paymentKind = (kind: 'guest' | 'portal'): (typeof PAYMENT_KINDS)[number] =>
  kind === 'portal' ? 'account' : 'guest';
