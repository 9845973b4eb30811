import { refundableCents } from '@brightpane/money/spread-refund';
import type { Queryable } from '../../../db/client.ts';
import type { Deps } from '../../../deps.ts';
import { type Failure, fail, ok, type Success } from '../../../http/result.ts';
import { isCollected } from '../../payments/engine/charge-states.ts';
import { lockIntent } from '../../payments/engine/payments.queries.ts';
import { type PlacedLine, placeRequest } from './requests/place-request.ts';
import { findOldRefund, findRequest, lockActor, type OldRefund } from './requests/refund-requests.queries.ts';
import { listRefundable, type RefundableRow } from './requests/refundable.queries.ts';
import {
  type AskedRefund,
  findWhatBars,
  type Placed,
  type RequestRefusal,
} from './requests/request-refund.ts';

export type AgainRefusal =
  | RequestRefusal
  | Failure<'refund-not-found' | 'still-open' | 'ended' | 'sent-again-already'>;

/** Requests a failed refund again, under the limits of whoever asks now. */
export async function sendRefundAgain(
  deps: Pick<Deps, 'env' | 'books'>,
  tx: Queryable,
  { refundId, ...asked }: Omit<AskedRefund, 'body' | 'paymentId'> & { refundId: string },
): Promise<Success<Placed> | AgainRefusal> {
  const { caller, idemKey, requestHash } = asked;
  await lockActor(tx, caller.id);
  const earlier = await findRequest(tx, { actorId: caller.id, idemKey });
  if (earlier)
    return earlier.requestHash === requestHash ? ok({ ...earlier, isReplayed: true }) : fail('key-reused');
  const named = await findOldRefund(tx, { refundId });
  if (!named) return fail('refund-not-found');
  const { paymentId } = named;
  await lockIntent(tx, paymentId);
  const old = (await findOldRefund(tx, { refundId })) ?? named;
  const rows = await listRefundable(tx, { paymentId, actorId: caller.id });
  const own = old.lines.map((line) => ({
    line,
    row: rows.find(({ invoiceId, chargeId }) => invoiceId === line.invoiceId && chargeId === old.chargeId),
  }));
  // Only a caller who sees all of it may send it again.
  const seen = own.flatMap(({ line, row }) => (row ? [{ line, row }] : []));
  if (seen.length === 0 || seen.length < own.length) return fail('refund-not-found');
  const refused = refuseState(old) ?? refuseRest(seen);
  if (refused) return refused;
  const priced = seen.map(({ line, row }) => {
    const { chargeId, franchiseId } = row;
    return { row, line: { ...line, chargeId, franchiseId } satisfies PlacedLine };
  });
  const barred = await findWhatBars(deps, tx, priced);
  if (barred) return barred;
  const placed = await placeRequest(deps, tx, {
    ...asked,
    paymentId,
    reason: old.reason,
    note: old.note,
    lines: priced.map(({ line }) => line),
    retryOf: refundId,
  });
  return ok({ ...placed, isReplayed: false });
}

function refuseState({ state, isClosed, wasSentAgain }: OldRefund): AgainRefusal | null {
  if (wasSentAgain) return fail('sent-again-already');
  // Closed with a note such as "paid back otherwise".
  if (isClosed) return fail('ended');
  if (state === 'refused' || state === 'not_made') return null;
  return fail(state === 'made' || state === 'withdrawn' ? 'ended' : 'still-open');
}

/** Refuses if refunds made since leave too little. */
function refuseRest(seen: { line: OldRefund['lines'][number]; row: RefundableRow }[]): AgainRefusal | null {
  for (const { line, row } of seen) {
    const { free, workOrderNumber } = row;
    const mostCents = refundableCents(free);
    const isBeyond =
      line.invoiceCents > free.invoiceCents ||
      line.taxCents > free.taxCents ||
      Math.abs(line.servicesCents) > Math.abs(free.servicesCents) ||
      Math.abs(line.servicesTaxCents) > Math.abs(free.servicesTaxCents);
    if (isBeyond) return fail('more-than-left', { workOrderNumber, field: 'amount' as const, mostCents });
    if (line.tipCents > free.tipCents)
      return fail('more-than-left', { workOrderNumber, field: 'tip' as const, mostCents: free.tipCents });
    if (!isCollected(row.chargeState)) return fail('not-collected');
  }
  return null;
}
