import { type Cents, cents } from '@brightpane/money/cents';
import { sumOfParts } from '@brightpane/money/parts';
import type { Queryable } from '../../../db/client.ts';
import type { Deps } from '../../../deps.ts';
import { type Failure, fail, ok, type Success } from '../../../http/result.ts';
import { isCollected } from '../../payments/engine/charge-states.ts';
import { lockIntent } from '../../payments/engine/payments.queries.ts';
import { type PlacedLine, placeRequest } from './requests/place-request.ts';
import { type LineRefusal, priceLine } from './requests/price-line.ts';
import { findOldRefund, findRequest, lockActor, type OldRefund } from './requests/refund-requests.queries.ts';
import {
  listRefundable,
  type Parts,
  type RefundableRow,
  sumUnderWay,
} from './requests/refundable.queries.ts';
import { type AskedBy, findWhatBars, type Placed, type RequestRefusal } from './requests/request-refund.ts';

export type AgainRefusal =
  | RequestRefusal
  | Failure<'refund-not-found' | 'still-open' | 'ended' | 'sent-again-already'>;

/** Requests a failed refund again, under the limits of whoever asks now. */
export async function sendRefundAgain(
  deps: Pick<Deps, 'env' | 'books'>,
  tx: Queryable,
  { refundId, ...asked }: AskedBy & { refundId: string },
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
  const refused = refuseState(old);
  if (refused) return refused;
  const priced = priceAgain(seen);
  if (!priced.ok)
    return priced.code === 'under-way'
      ? fail('under-way', { underWayCents: await sumUnderWay(tx, { paymentId, actorId: caller.id }) })
      : priced;
  const barred = await findWhatBars(deps, tx, { paymentId, priced: seen });
  if (barred) return barred;
  const placed = await placeRequest(deps, tx, {
    ...asked,
    paymentId,
    reason: old.reason,
    note: old.note,
    lines: priced.value,
    retryOf: refundId,
  });
  return placed.ok ? ok({ ...placed.value, isReplayed: false }) : fail('refund-not-found');
}

function refuseState({ state, isClosed, wasSentAgain }: OldRefund): AgainRefusal | null {
  if (wasSentAgain) return fail('sent-again-already');
  // Closed with a note such as "paid back otherwise".
  if (isClosed) return fail('ended');
  if (state === 'refused' || state === 'not_made') return null;
  return fail(state === 'made' || state === 'withdrawn' ? 'ended' : 'still-open');
}

type OldLine = OldRefund['lines'][number];

/** Spreads the old amounts over what is left now, as any request does: other refunds may have taken the odd cents. */
function priceAgain(
  seen: { line: OldLine; row: RefundableRow }[],
): Success<PlacedLine[]> | LineRefusal | Failure<'not-collected'> {
  const lines: PlacedLine[] = [];
  for (const { line, row } of seen) {
    const { chargeId, franchiseId, workOrderNumber } = row;
    if (!isCollected(row.chargeState)) return fail('not-collected');
    const priced = priceLine(row, { franchiseId, workOrderNumber, ...amountsOf(line, row) });
    if (!priced.ok) return priced;
    // What its requester was shown of the first one still holds.
    lines.push({ ...priced.value, nothingDue: line.nothingDue, chargeId, franchiseId });
  }
  return ok(lines);
}

function amountsOf(line: OldLine, { free }: RefundableRow) {
  const amount = cents(sumOfParts({ ...line, tipCents: 0 }));
  return {
    amount,
    tip: cents(line.tipCents),
    ...(line.effect !== null && { effect: line.effect }),
    // A payer's credit goes back in proportion, so its share isn't named.
    ...(free.servicesCents + free.servicesTaxCents > 0 && { services: servicesOf(line, { free, amount }) }),
  };
}

/** As much of the services as before, but for the cent by which rounding may have moved the rests. */
function servicesOf(line: OldLine, { free, amount }: { free: Parts; amount: Cents }): Cents {
  const before = line.servicesCents + line.servicesTaxCents;
  const most = free.servicesCents + free.servicesTaxCents;
  const least = amount - free.invoiceCents - free.taxCents;
  const nearest = Math.min(Math.max(before, least), most);
  const isRounding = line.effect !== null && Math.abs(nearest - before) <= 1;
  return cents(isRounding ? nearest : before);
}
