import type { PAYMENT_KINDS, PaymentState } from '@brightpane/contract/office/payments';
import type { ChargeState } from '../../../db/schema/payments.ts';

type Outcome = 'accepted' | 'declined' | 'abandoned';

/** What a share is called in lists; what became of its charge since counts for an accepted one. */
export function paymentState(outcome: Outcome, chargeState: ChargeState): PaymentState {
  if (outcome === 'declined') return 'declined';
  if (outcome === 'abandoned') return 'not-charged';
  return chargeState === 'reversing' || chargeState === 'capture_failed' ? 'failed' : 'paid';
}

/** Who paid: somebody with an account, or a guest. */
export const paymentKind = (kind: 'guest' | 'portal'): (typeof PAYMENT_KINDS)[number] =>
  kind === 'portal' ? 'account' : 'guest';
