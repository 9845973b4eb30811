import type { PaymentRow } from '@brightpane/contract/office/payments';
import { toDollars } from '@brightpane/contract/wire';
import { cents } from '@brightpane/money/cents';
import { franchiseDay } from '../../../franchise-day.ts';
import { paymentKind, paymentState } from './payment-states.ts';
import type { ShareRow } from './shares.queries.ts';

export function presentShare(share: ShareRow): PaymentRow {
  const { brand, lastFour } = share;
  return {
    paymentId: share.paymentId,
    franchiseId: share.franchiseId,
    at: new Date(share.at).toISOString(),
    day: franchiseDay(share.at, share.timeZone),
    timeZone: share.timeZone,
    kind: paymentKind(share.kind),
    state: paymentState(share),
    isInReview: share.isInReview,
    customer: { customerNumber: share.customerNumber, name: share.customerName },
    workOrders: share.workOrders,
    workOrderCount: share.workOrderCount,
    method: brand !== null && lastFour !== null ? { brand, lastFour } : null,
    amount: toDollars(cents(share.amountCents)),
    tip: toDollars(cents(share.tipCents)),
    refunded: toDollars(cents(share.refundedCents)),
    reference: share.reference,
    payerEmail: share.payerEmail,
  };
}
