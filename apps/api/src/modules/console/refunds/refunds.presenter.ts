import type {
  Refund,
  RefundableWorkOrder,
  RefundPage,
  RefundWireState,
} from '@brightpane/contract/office/refunds';
import { toDollars } from '@brightpane/contract/wire';
import { cents } from '@brightpane/money/cents';
import type { CandidateRow, RefundActRow, RefundLineRow, RefundRow } from './refund-rows.queries.ts';
import { refundWords } from './refund-words.ts';
import type { RefundableRow } from './refundable.queries.ts';

const dollars = (amount: number) => toDollars(cents(amount));
const wireTime = (instant: string) => new Date(instant).toISOString();
const orNull = (instant: string | null) => (instant === null ? null : wireTime(instant));

export const totalOf = (line: RefundLineRow) =>
  line.invoiceCents + line.taxCents + line.servicesCents + line.servicesTaxCents + line.tipCents;

const CAME_TO_NOTHING = ['refused', 'not_made'];

export function presentRefund(row: RefundRow): Refund {
  const { state, brand, lastFour } = row;
  return {
    refundId: row.refundId,
    requestId: row.requestId,
    paymentId: row.paymentId,
    state: state.replaceAll('_', '-') as RefundWireState,
    words: refundWords(row),
    safeToSendAgain: CAME_TO_NOTHING.includes(state) && !row.wasSentAgain,
    method: row.method,
    amount: dollars(row.lines.reduce((sum, line) => sum + totalOf(line), 0)),
    reason: row.reason,
    note: row.note,
    requestedBy: row.requestedBy ?? 'portal',
    requestedAt: wireTime(row.requestedAt),
    approvedBy: row.approvedBy,
    approvedAt: orNull(row.approvedAt),
    madeAt: orNull(row.madeAt),
    undoneAt: orNull(row.undoneAt),
    heldFor: row.heldFor,
    providerWords: row.providerWords,
    reference: row.reference === '' ? null : row.reference,
    card: brand === null || lastFour === null ? null : { brand, lastFour },
    retryOf: row.retryOf,
    lines: row.lines.map((line) => presentLine(line, { isMade: state === 'made' })),
  };
}

function presentLine(line: RefundLineRow, { isMade }: { isMade: boolean }): Refund['lines'][number] {
  const { effect, nothingDue, overpaidCents } = line;
  const due = line.invoiceCents + line.taxCents;
  const covered = isMade ? 0 : overpaidCents;
  const isDue = effect === 'due-again' && !nothingDue;
  return {
    franchiseId: line.franchiseId,
    workOrderNumber: line.workOrderNumber,
    invoice: dollars(line.invoiceCents),
    tax: dollars(line.taxCents),
    services: dollars(line.servicesCents),
    servicesTax: dollars(line.servicesTaxCents),
    tip: dollars(line.tipCents),
    effect,
    dueAgain: dollars(isDue ? Math.max(0, due - covered) : 0),
  };
}

const ACT = /^refund: /;

export function presentRefundPage(
  row: RefundRow,
  { acts, candidates }: { acts: RefundActRow[]; candidates: CandidateRow[] },
): RefundPage {
  return {
    ...presentRefund(row),
    timeline: acts.map(({ at, by, action, from, to, note }) => ({
      at: wireTime(at),
      by,
      event: action.replace(ACT, ''),
      from: from?.replaceAll('_', '-') ?? null,
      to: to?.replaceAll('_', '-') ?? null,
      note,
    })),
    ...(row.state === 'held' && {
      candidates: candidates.map(({ amountCents, createdOn, ...each }) => ({
        ...each,
        amount: dollars(amountCents),
        createdOn: orNull(createdOn),
      })),
    }),
  };
}

/** What is left of a work order, where its charge may still give something back. */
export function presentRefundable({ free, ...row }: RefundableRow): RefundableWorkOrder {
  return {
    franchiseId: row.franchiseId,
    workOrderNumber: row.workOrderNumber,
    invoice: dollars(free.invoiceCents),
    tax: dollars(free.taxCents),
    services: dollars(free.servicesCents),
    servicesTax: dollars(free.servicesTaxCents),
    tip: dollars(free.tipCents),
    overpaid: dollars(row.overpaidCents),
  };
}
