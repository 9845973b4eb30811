import type {
  Refund,
  RefundAllowance,
  RefundableWorkOrder,
  RefundPage,
  RefundWireState,
} from '@brightpane/contract/office/refunds';
import { centsToDollars } from '@brightpane/contract/wire';
import { sumOfParts } from '@brightpane/money/parts';
import { stampHeldRefund } from '../../payments/refunds/stamp-held-refund.ts';
import { sayQueued } from './mail-names.ts';
import { presentAct } from './refund-acts.presenter.ts';
import type {
  CandidateRow,
  RefundActRow,
  RefundLineRow,
  RefundMailRow,
  RefundRow,
} from './refund-rows.queries.ts';
import { refundWaitedFor, refundWords } from './refund-words.ts';
import type { Allowance } from './requests/refund-requests.queries.ts';
import type { RefundableRow } from './requests/refundable.queries.ts';

export const wireTime = (instant: string) => new Date(instant).toISOString();
export const wireTimeOrNull = (instant: string | null) => (instant === null ? null : wireTime(instant));

const CAME_TO_NOTHING = ['refused', 'not_made'];

const amountOf = ({ lines }: RefundRow) => lines.reduce((sum, line) => sum + sumOfParts(line), 0);
const totalOf = (rows: RefundRow[]) => rows.reduce((sum, row) => sum + amountOf(row), 0);

export function presentRefund(row: RefundRow): Refund {
  const { state, brand, lastFour } = row;
  return {
    refundId: row.refundId,
    requestId: row.requestId,
    paymentId: row.paymentId,
    state: state.replaceAll('_', '-') as RefundWireState,
    words: refundWords(row),
    safeToSendAgain: CAME_TO_NOTHING.includes(state) && !row.wasSentAgain && !row.isClosed,
    method: row.method,
    amount: centsToDollars(amountOf(row)),
    reason: row.reason,
    note: row.note,
    requestedBy: row.requestedBy ?? 'portal',
    requestedAt: wireTime(row.requestedAt),
    approvedBy: row.approvedBy,
    approvedAt: wireTimeOrNull(row.approvedAt),
    madeAt: wireTimeOrNull(row.madeAt),
    undoneAt: wireTimeOrNull(row.undoneAt),
    heldFor: row.heldFor,
    providerWords: row.providerWords,
    reference: row.reference === '' ? null : row.reference,
    card: brand === null || lastFour === null ? null : { brand, lastFour },
    retryOf: row.retryOf,
    customer: { customerNumber: row.customerNumber, name: row.customerName },
    timeZone: row.timeZone,
    isOwn: row.isOwn,
    isSent: row.isSent,
    isClosed: row.isClosed,
    lines: row.lines.map((line) => presentLine(line, { isMade: state === 'made' })),
  };
}

function presentLine(line: RefundLineRow, { isMade }: { isMade: boolean }): Refund['lines'][number] {
  return {
    franchiseId: line.franchiseId,
    workOrderNumber: line.workOrderNumber,
    invoice: centsToDollars(line.invoiceCents),
    tax: centsToDollars(line.taxCents),
    services: centsToDollars(line.servicesCents),
    servicesTax: centsToDollars(line.servicesTaxCents),
    tip: centsToDollars(line.tipCents),
    effect: line.effect,
    dueAgain: centsToDollars(dueAgainOf(line, { isMade })),
  };
}

function dueAgainOf(line: RefundLineRow, { isMade }: { isMade: boolean }): number {
  if (line.fellDueCents !== null) return line.fellDueCents;
  if (line.effect !== 'due-again') return 0;
  const due = line.invoiceCents + line.taxCents;
  // Of a refund booked before this was stored, nobody knows what was overpaid.
  if (isMade) return line.nothingDue ? 0 : due;
  return Math.max(0, due - line.excessCents);
}

const mailEvent = ({ at, kind, to }: RefundMailRow): RefundPage['timeline'][number] => ({
  at: wireTime(at),
  by: 'portal',
  event: 'mail',
  text: sayQueued(kind),
  detail: to,
  from: null,
  to: null,
  note: null,
});

const presentRequested = (rows: RefundRow[]): RefundPage['requested'] => ({
  amount: centsToDollars(totalOf(rows)),
  toApprove: centsToDollars(totalOf(rows.filter(({ state }) => state === 'requested'))),
  refunds: rows.map((row) => {
    const { refundId, amount, state, words } = presentRefund(row);
    return { refundId, amount, state, words };
  }),
});

const unclaimedOf = (candidates: CandidateRow[]) =>
  candidates
    .filter(({ isSale, isVoided }) => !isSale && !isVoided)
    .map(({ transactionKey }) => transactionKey);

export function presentRefundPage(
  row: RefundRow,
  {
    requested,
    acts,
    mails,
    candidates,
    payerEmail,
  }: {
    requested: RefundRow[];
    acts: RefundActRow[];
    mails: RefundMailRow[];
    candidates: CandidateRow[];
    payerEmail: string | null;
  },
): RefundPage {
  const timeline = acts.map((act) => ({
    ...presentAct(act),
    from: act.from?.replaceAll('_', '-') ?? null,
    to: act.to?.replaceAll('_', '-') ?? null,
    note: act.note,
  }));
  return {
    ...presentRefund(row),
    waitsForRefundId: refundWaitedFor(row),
    requested: presentRequested(requested),
    payerEmail,
    timeline: [...timeline, ...mails.map(mailEvent)].toSorted(
      (one, other) => Date.parse(one.at) - Date.parse(other.at),
    ),
    ...(row.state === 'held' && {
      version: stampHeldRefund({ heldFor: row.heldFor, unclaimedKeys: unclaimedOf(candidates) }),
      candidates: candidates.map(({ amountCents, createdOn, ...each }) => ({
        ...each,
        amount: centsToDollars(amountCents),
        createdOn: wireTimeOrNull(createdOn),
      })),
    }),
  };
}

/** What the limits per payment and per day leave a caller. */
export const presentAllowance = (allowance: Allowance): RefundAllowance => {
  const { franchiseId, limitCents, ofPaymentCents, dayLimitCents, ofDayCents } = allowance;
  const left = Math.min(limitCents - ofPaymentCents, dayLimitCents - ofDayCents);
  return { franchiseId, left: centsToDollars(Math.max(0, left)) };
};

/** What is left of a work order, if its charge may still be refunded. */
export function presentRefundable({ free, ...row }: RefundableRow): RefundableWorkOrder {
  return {
    franchiseId: row.franchiseId,
    workOrderNumber: row.workOrderNumber,
    invoice: centsToDollars(free.invoiceCents),
    tax: centsToDollars(free.taxCents),
    services: centsToDollars(free.servicesCents),
    servicesTax: centsToDollars(free.servicesTaxCents),
    tip: centsToDollars(free.tipCents),
    overpaid: centsToDollars(row.overpaidCents),
    overpaidTax: centsToDollars(Math.min(Math.max(row.excessTaxCents, 0), row.overpaidCents)),
    excess: centsToDollars(row.excessCents),
  };
}
