import type { Payment, PaymentShare, PaymentState } from '@brightpane/contract/office/payments';
import { toDollars } from '@brightpane/contract/wire';
import { cents } from '@brightpane/money/cents';
import { paymentKind, paymentState } from '../payments/payment-states.ts';
import type { RefundRow } from '../refunds/refund-rows.queries.ts';
import type { RefundableRow } from '../refunds/refundable.queries.ts';
import { presentRefund, presentRefundable, totalOf } from '../refunds/refunds.presenter.ts';
import { chargeWords } from './charge-words.ts';
import type {
  LineRow,
  OtherPaymentRow,
  PageMailRow,
  PageShareRow,
  PaymentPageRow,
} from './payment-page.queries.ts';
import { paymentTimeline } from './payment-timeline.ts';

const dollars = (amount: number) => toDollars(cents(amount));
const wireTime = (instant: string) => new Date(instant).toISOString();
const orNull = (instant: string | null) => (instant === null ? null : wireTime(instant));

export function presentPayment(
  row: PaymentPageRow,
  page: {
    mails: PageMailRow[];
    notes: Payment['notes'];
    others: OtherPaymentRow[];
    refunds: RefundRow[];
    refundable: RefundableRow[];
  },
): Payment {
  const { mails, notes, others, refunds, refundable } = page;
  const answer = heardAnswer(row);
  return {
    paymentId: row.paymentId,
    kind: paymentKind(row.kind),
    state: wholeState(row.shares),
    startedAt: wireTime(row.startedAt),
    decidedAt: orNull(row.decidedAt),
    answer,
    payer: { name: row.payerName, email: row.payerEmail, userId: row.userId },
    shares: row.shares.map((share) => presentShare(share, { answer, refunds })),
    timeline: paymentTimeline(row, { answer, mails, notes }),
    mails: mails.map((mail) => ({ ...mail, at: wireTime(mail.at) })),
    notes,
    others: others.map(({ paymentId, at, outcome, chargeState, amountCents }) => ({
      paymentId,
      at: wireTime(at),
      state: paymentState(outcome, chargeState),
      amount: dollars(amountCents),
    })),
    refunds: refunds.map(presentRefund),
    refundable: refundable.filter(isCollected).map(presentRefundable),
  };
}

const isCollected = ({ chargeState }: RefundableRow) =>
  chargeState === 'accepted' || chargeState === 'captured';

/**
 * What the payer read may name other offices' work orders and franchises. Who does not see all shares reads it only where
 * it was her own charge that was refused.
 */
function heardAnswer({ answer, hasHiddenShares, shares }: PaymentPageRow): string | null {
  return !hasHiddenShares || shares.some(({ chargeState }) => chargeState === 'refused') ? answer : null;
}

/** Of several shares, the state that somebody has to know of. */
function wholeState(shares: PageShareRow[]): PaymentState {
  const states = shares.map(({ outcome, chargeState }) => paymentState(outcome, chargeState));
  return states.find((state) => state === 'failed') ?? states[0] ?? 'not-charged';
}

function presentShare(
  share: PageShareRow,
  { answer, refunds }: { answer: string | null; refunds: RefundRow[] },
): PaymentShare {
  const { chargeId, franchiseId, franchiseName, timeZone, chargeState, maskedCard, reference, orderId } =
    share;
  return {
    chargeId,
    franchiseId,
    franchiseName,
    timeZone,
    account: share.isOwnAccount ? 'own' : 'portal',
    amount: dollars(share.amountCents),
    chargeState: chargeState.replaceAll('_', '-'),
    words: chargeWords({ state: chargeState, answer, collectedAt: share.collectedAt, timeZone }),
    method: share.brand,
    maskedCard,
    reference,
    orderId,
    acceptedAt: orNull(share.acceptedAt),
    collectedAt: orNull(share.collectedAt),
    depositId: null,
    disputeId: null,
    lines: share.lines.map((line) =>
      presentLine(
        line,
        sumRefunded(refunds, { chargeId, franchiseId, workOrderNumber: line.workOrderNumber }),
      ),
    ),
  };
}

function presentLine(line: LineRow, refundedCents: number): PaymentShare['lines'][number] {
  const { invoiceCents, taxCents, servicesCents, servicesTaxCents, tipCents } = line;
  return {
    workOrderNumber: line.workOrderNumber,
    customerNumber: line.customerNumber,
    customerName: line.customerName,
    address: line.address,
    service: line.service,
    invoice: dollars(invoiceCents),
    tax: dollars(taxCents),
    services: dollars(servicesCents),
    servicesTax: dollars(servicesTaxCents),
    tip: dollars(tipCents),
    note: line.note,
    total: dollars(invoiceCents + taxCents + servicesCents + servicesTaxCents + tipCents),
    refunded: dollars(refundedCents),
    creditLookedAt: orNull(line.creditLookedAt),
  };
}

/** What was made of one work order's refunds and not undone. */
function sumRefunded(
  refunds: RefundRow[],
  of: { chargeId: string; franchiseId: number; workOrderNumber: number },
): number {
  return refunds
    .filter(
      ({ chargeId, state, undoneAt }) => chargeId === of.chargeId && state === 'made' && undoneAt === null,
    )
    .flatMap(({ lines }) => lines)
    .filter((line) => line.franchiseId === of.franchiseId && line.workOrderNumber === of.workOrderNumber)
    .reduce((sum, line) => sum + totalOf(line), 0);
}
