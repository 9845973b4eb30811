import type { Payment } from '@brightpane/contract/office/payments';
import { toDollars } from '@brightpane/contract/wire';
import { sumCents } from '@brightpane/money/cents';
import { usd } from '../fields/dollars.tsx';
import { inCents } from '../fields/in-cents.ts';
import { leftCents, restsOf } from './what-goes-back.ts';

const UNDER_WAY = ['requested', 'waiting', 'sending', 'unknown'];
const HELD = 'A refund of this payment waits for a decision. Decide it first.';

type Refunded = Pick<Payment, 'refundable'> & {
  shares: Pick<Payment['shares'][number], 'chargeId' | 'disputeId'>[];
  refunds: Pick<Payment['refunds'][number], 'state' | 'amount'>[];
};

/** Why nothing of a payment can be refunded now; null if something can. */
export function whyNotRefundable({ shares, refunds, refundable }: Refunded): string | null {
  if (refundable.length === 0) return 'This payment was not collected. There is nothing to refund.';
  if (shares.every(({ disputeId }) => disputeId !== null))
    return 'This charge is disputed. A refund could pay twice.';
  const charges = new Set(shares.map(({ chargeId }) => chargeId));
  const isHeld = refunds.some(({ state }) => state === 'held');
  if (charges.size === 1 && isHeld) return HELD;
  if (refundable.some((row) => leftCents(restsOf(row)) > 0)) return null;
  const moving = refunds.filter(({ state }) => UNDER_WAY.includes(state));
  const movingCents = sumCents(moving.map(({ amount }) => inCents(amount)));
  if (movingCents > 0) return `${usd(toDollars(movingCents))} of this payment is being refunded already.`;
  if (isHeld) return HELD;
  const [only, ...others] = refundable;
  return only && others.length === 0
    ? `Work order ${only.workOrderNumber} is fully refunded.`
    : 'This payment is fully refunded.';
}
