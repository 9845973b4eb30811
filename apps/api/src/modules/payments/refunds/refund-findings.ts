import type { RefundWait } from '../../../db/schema/refunds.ts';
import { backOffSeconds, LONGEST_BACK_OFF_SECONDS } from '../../../jobs/back-off.ts';
import type { SeenOf } from './moves/refund-decision.ts';
import type { SaleStanding } from './sale-standing.ts';
import type { LeasedRefund } from './sweep/refund-leases.queries.ts';

/** Nothing is decided; look again later. */
export type TryAgain = {
  event: 'try-again';
  againInSeconds: number;
  waitsFor?: RefundWait;
  trouble?: Extract<SaleStanding, { kind: 'later' }>['trouble'];
  /** The first of two proofs was just noted. */
  isProving?: true;
};

/** What one lease found: an event to decide, or that it must be tried again. */
export type RefundFinding = (
  | SeenOf<'confirm' | 'lose' | 'not-executed' | 'batch-closed' | 'refuse' | 'rule-out' | 'hold' | 'drop'>
  | TryAgain
) & { alert?: string; isTooMany?: true };

export const HOUR_SECONDS = 60 * 60;
export const SETTLEMENT_SECONDS = 30 * 60;
export const REST_SECONDS = 60;

export const tryAgain = (refund: LeasedRefund, seconds = backOffSeconds(refund.attempts)): TryAgain => ({
  event: 'try-again',
  againInSeconds: Math.min(seconds, LONGEST_BACK_OFF_SECONDS),
});

/** For a sale whose record could not be read. */
export function tryLater(
  refund: LeasedRefund,
  { trouble }: Extract<SaleStanding, { kind: 'later' }>,
): TryAgain {
  if (trouble === 'too-many-requests') return { ...tryAgain(refund, REST_SECONDS), trouble };
  return { ...tryAgain(refund), trouble, ...(trouble === 'keys-refused' && { waitsFor: 'keys' }) };
}

/** The outcome of the call is unknown. */
export const lost = (refund: LeasedRefund) =>
  ({ event: 'lose', againInSeconds: backOffSeconds(refund.attempts) }) as const;
