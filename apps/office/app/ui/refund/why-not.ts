import type { Payment } from '@brightpane/contract/office/payments';
import { toDollars } from '@brightpane/contract/wire';
import { sumCents } from '@brightpane/money/cents';
import { usd } from '../fields/dollars.tsx';
import { inCents } from '../fields/in-cents.ts';
import { leftCents, restsOf } from './what-goes-back.ts';

const UNDER_WAY = ['requested', 'waiting', 'sending', 'unknown'];

/** Why nothing of a payment can be refunded now; null if something can. */
export function whyNotRefundable({ shares, refunds, refundable }: Payment): string | null {
  if (refundable.length === 0) return 'This payment was not collected. There is nothing to refund.';
  if (shares.every(({ disputeId }) => disputeId !== null))
    return 'This charge is disputed. A refund could pay twice.';
  const charges = new Set(shares.map(({ chargeId }) => chargeId));
  if (charges.size === 1 && refunds.some(({ state }) => state === 'held'))
    return 'A refund of this payment waits for a decision. Decide it first.';
  if (refundable.some((row) => leftCents(restsOf(row)) > 0)) return null;
  const moving = refunds.filter(({ state }) => UNDER_WAY.includes(state));
  const movingCents = sumCents(moving.map(({ amount }) => inCents(amount)));
  if (movingCents > 0) return `${usd(toDollars(movingCents))} of this payment is being refunded already.`;
  const [only, ...others] = refundable;
  return only && others.length === 0
    ? `Work order ${only.workOrderNumber} is fully refunded.`
    : 'This payment is fully refunded.';
}
