import type { Payment, PaymentShare, PaymentState } from '@brightpane/contract/office/payments';
import { centsToDollars } from '@brightpane/contract/wire';
import { sumOfParts } from '@brightpane/money/parts';
import { isCollected } from '../../payments/engine/charge-states.ts';
import { abandonedSentence } from '../../payments/engine/outcomes.ts';
import { paymentKind, paymentState } from '../payments/payment-states.ts';
import type { RefundActRow, RefundRow } from '../refunds/refund-rows.queries.ts';
import {
  presentAllowance,
  presentRefund,
  presentRefundable,
  wireTime,
  wireTimeOrNull,
} from '../refunds/refunds.presenter.ts';
import type { Allowance } from '../refunds/requests/refund-requests.queries.ts';
import type { RefundableRow } from '../refunds/requests/refundable.queries.ts';
import { chargeWords } from './charge-words.ts';
import type {
  LineRow,
  OtherPaymentRow,
  PageMailRow,
  PageShareRow,
  PaymentPageRow,
} from './payment-page.queries.ts';
import { paymentTimeline } from './payment-timeline.ts';

export function presentPayment(
  row: PaymentPageRow,
  page: {
    mails: PageMailRow[];
    notes: Payment['notes'];
    others: OtherPaymentRow[];
    refunds: RefundRow[];
    refundable: RefundableRow[];
    acts: RefundActRow[];
    allowances: Allowance[];
    refundEmail: string | null;
  },
): Payment {
  const { mails, notes, others, refunds, refundable, acts, allowances, refundEmail } = page;
  const answer = heardAnswer(row);
  const isPayerTold = mails.some(({ isFailureToldToPayer }) => isFailureToldToPayer);
  return {
    paymentId: row.paymentId,
    kind: paymentKind(row.kind),
    state: wholeState(row.shares, refunds),
    startedAt: wireTime(row.startedAt),
    decidedAt: wireTimeOrNull(row.decidedAt),
    answer,
    payer: { name: row.payerName, email: row.payerEmail, userId: row.userId, refundEmail },
    shares: row.shares.map((share) => presentShare(share, { answer, refunds, refundable, isPayerTold })),
    timeline: paymentTimeline(row, { answer, mails, notes, refunds, acts }),
    mails: mails.map(({ mailId, kind, to, state, at }) => ({ mailId, kind, to, state, at: wireTime(at) })),
    notes,
    others: others.map((other) => ({
      paymentId: other.paymentId,
      at: wireTime(other.at),
      state: paymentState(other),
      amount: centsToDollars(other.amountCents),
    })),
    refunds: refunds.map(presentRefund),
    refundable: refundable.filter(({ chargeState }) => isCollected(chargeState)).map(presentRefundable),
    refundAllowances: allowances.map(presentAllowance),
  };
}

/**
 * The payer's answer may name other offices' work orders. A caller who doesn't see all shares reads it only if one of
 * their own charges was refused.
 */
function heardAnswer({ outcome, answerBefore, hasHiddenShares, shares }: PaymentPageRow): string | null {
  const isTold = !hasHiddenShares || shares.some(({ chargeState }) => chargeState === 'refused');
  return isTold ? ((outcome && abandonedSentence(outcome)) ?? answerBefore) : null;
}

/** Of several shares' states, the one that most needs attention. */
function wholeState(shares: PageShareRow[], refunds: RefundRow[]): PaymentState {
  const states = shares.map((share) =>
    paymentState({ ...share, refundedCents: sumRefunded(refunds, share) }),
  );
  if (states.includes('failed')) return 'failed';
  if (states.includes('review')) return 'review';
  const isBack = (state: PaymentState) => state === 'refunded' || state === 'partly-refunded';
  if (states.some(isBack))
    return states.every((state) => state === 'refunded') ? 'refunded' : 'partly-refunded';
  return states[0] ?? 'not-charged';
}

function presentShare(
  share: PageShareRow,
  {
    answer,
    refunds,
    refundable,
    isPayerTold,
  }: { answer: string | null; refunds: RefundRow[]; refundable: RefundableRow[]; isPayerTold: boolean },
): PaymentShare {
  const { chargeId, franchiseId, franchiseName, timeZone, chargeState, maskedCard, reference, orderId } =
    share;
  return {
    chargeId,
    franchiseId,
    franchiseName,
    timeZone,
    account: share.isOwnAccount ? 'own' : 'portal',
    amount: centsToDollars(share.amountCents),
    chargeState: chargeState.replaceAll('_', '-'),
    words: chargeWords({
      state: chargeState,
      answer,
      collectedAt: share.collectedAt,
      timeZone,
      lines: share.lines,
      isPayerTold,
    }),
    method: share.brand,
    maskedCard,
    reference,
    orderId,
    acceptedAt: wireTimeOrNull(share.acceptedAt),
    collectedAt: wireTimeOrNull(share.collectedAt),
    disputeId: refundable.find((row) => row.chargeId === chargeId)?.disputeId ?? null,
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
    invoice: centsToDollars(invoiceCents),
    tax: centsToDollars(taxCents),
    services: centsToDollars(servicesCents),
    servicesTax: centsToDollars(servicesTaxCents),
    tip: centsToDollars(tipCents),
    note: line.note,
    total: centsToDollars(sumOfParts(line)),
    refunded: centsToDollars(refundedCents),
    creditLookedAt: wireTimeOrNull(line.creditLookedAt),
    creditLookedNote: line.creditLookedNote,
  };
}

/** The refunds made and not undone of a share, or of one of its work orders. */
function sumRefunded(
  refunds: RefundRow[],
  of: { chargeId: string; franchiseId: number; workOrderNumber?: number },
): number {
  return refunds
    .filter(
      ({ chargeId, state, undoneAt }) => chargeId === of.chargeId && state === 'made' && undoneAt === null,
    )
    .flatMap(({ lines }) => lines)
    .filter(
      (line) =>
        line.franchiseId === of.franchiseId &&
        (of.workOrderNumber === undefined || line.workOrderNumber === of.workOrderNumber),
    )
    .reduce((sum, line) => sum + sumOfParts(line), 0);
}
