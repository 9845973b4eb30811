import type { RefundWait } from '../../../db/schema/refunds.ts';
import type { SeenOf } from './moves/refund-decision.ts';
import type { SaleStanding } from './sale-standing.ts';
import { backOffSeconds, type LeasedRefund } from './sweep/refund-leases.queries.ts';

/** Nothing is decided: it is looked at again. */
export type TryAgain = {
  event: 'try-again';
  againInSeconds: number;
  waitsFor?: RefundWait;
  trouble?: Extract<SaleStanding, { kind: 'later' }>['trouble'];
};

/** What came of one lease: an event to decide, or that it has to be tried again. */
export type RefundFinding = (
  | SeenOf<'confirm' | 'lose' | 'not-executed' | 'batch-closed' | 'refuse' | 'rule-out' | 'hold' | 'drop'>
  | TryAgain
) & { alert?: string; isTooMany?: true };

export const HOUR_SECONDS = 60 * 60;
export const SETTLEMENT_SECONDS = 30 * 60;
export const REST_SECONDS = 60;

export const tryAgain = (refund: LeasedRefund, seconds = backOffSeconds(refund)): TryAgain => ({
  event: 'try-again',
  againInSeconds: seconds,
});

/** The sale's record could not be read. */
export function tryLater(
  refund: LeasedRefund,
  { trouble }: Extract<SaleStanding, { kind: 'later' }>,
): TryAgain {
  if (trouble === 'too-many-requests') return { ...tryAgain(refund, REST_SECONDS), trouble };
  return { ...tryAgain(refund), trouble, ...(trouble === 'keys-refused' && { waitsFor: 'keys' }) };
}

/** Nobody knows what came of the call. */
export const lost = (refund: LeasedRefund) =>
  ({ event: 'lose', againInSeconds: backOffSeconds(refund) }) as const;
