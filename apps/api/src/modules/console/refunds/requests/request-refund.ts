import type { RefundRequestBody } from '@brightpane/contract/office/refunds';
import type { Cents } from '@brightpane/money/cents';
import type { Queryable } from '../../../../db/client.ts';
import type { Deps } from '../../../../deps.ts';
import type { OfficeCaller } from '../../../../http/office-caller.ts';
import { type Failure, fail, ok, type Success } from '../../../../http/result.ts';
import { isCollected } from '../../../payments/engine/charge-states.ts';
import { lockIntent } from '../../../payments/engine/payments.queries.ts';
import { areRefundsOpen } from '../../../payments/epoch/epoch.queries.ts';
import { type PlacedLine, placeRequest } from './place-request.ts';
import { type LineRefusal, priceLine } from './price-line.ts';
import { findRequest, findSameAgain, lockActor } from './refund-requests.queries.ts';
import {
  isBegunElsewhere,
  isPaymentSeen,
  listRefundable,
  type RefundableRow,
  sumUnderWay,
} from './refundable.queries.ts';

export type RequestRefusal =
  | Exclude<LineRefusal, Failure<'under-way'>>
  | Failure<
      | 'payment-not-found'
      | 'key-reused'
      | 'note-missing'
      | 'not-collected'
      | 'disputed'
      | 'refund-held'
      | 'refunds-closed'
      | 'begun-elsewhere'
    >
  | (Failure<'repeated-work-order' | 'not-in-this-payment'> & { workOrderNumber: number })
  | (Failure<'under-way'> & { underWayCents: Cents })
  | (Failure<'same-again'> & { minutes: number });

export type Placed = { requestId: string; needsApproval: boolean; isReplayed: boolean };

/** Who asks, under which key. */
export type AskedBy = {
  caller: OfficeCaller;
  idemKey: string;
  requestHash: string;
  confirm: () => Promise<void>;
};

/** Requests a refund of all lines or none, in the caller's transaction. */
export async function requestRefund(
  deps: Pick<Deps, 'env' | 'books'>,
  tx: Queryable,
  { body, ...asked }: AskedBy & { paymentId: string; body: RefundRequestBody },
): Promise<Success<Placed> | RequestRefusal> {
  const { caller, paymentId, idemKey, requestHash } = asked;
  await lockActor(tx, caller.id);
  const earlier = await findRequest(tx, { actorId: caller.id, idemKey });
  if (earlier)
    return earlier.requestHash === requestHash ? ok({ ...earlier, isReplayed: true }) : fail('key-reused');
  const seen = { paymentId, actorId: caller.id };
  if (!(await isPaymentSeen(tx, seen))) return fail('payment-not-found');
  const repeated = findRepeated(body);
  if (repeated) return fail('repeated-work-order', { workOrderNumber: repeated.workOrderNumber });
  if (body.reason === 'other' && body.note === undefined) return fail('note-missing');
  await lockIntent(tx, paymentId);
  const rows = await listRefundable(tx, seen);
  const priced = priceAll(rows, body);
  if (!priced.ok) {
    return priced.code === 'under-way'
      ? fail('under-way', { underWayCents: await sumUnderWay(tx, seen) })
      : priced;
  }
  const barred = await findWhatBars(deps, tx, { paymentId, priced: priced.value });
  if (barred) return barred;
  const lines = priced.value.map(({ line }) => line);
  const minutes = body.again ? null : await findSameAgain(tx, { paymentId, lines });
  if (minutes !== null) return fail('same-again', { minutes });
  const placed = await placeRequest(deps, tx, {
    ...asked,
    reason: body.reason,
    note: body.note ?? null,
    lines,
  });
  return placed.ok ? ok({ ...placed.value, isReplayed: false }) : fail('payment-not-found');
}

const isSame = (
  one: { franchiseId: number; workOrderNumber: number },
  other: { franchiseId: number; workOrderNumber: number },
) => one.franchiseId === other.franchiseId && one.workOrderNumber === other.workOrderNumber;

const findRepeated = ({ lines }: RefundRequestBody) =>
  lines.find((line, index) => lines.findIndex((each) => isSame(each, line)) < index);

type PricedRow = { row: RefundableRow; line: PlacedLine };

function priceAll(
  rows: RefundableRow[],
  { lines }: RefundRequestBody,
):
  | Success<PricedRow[]>
  | LineRefusal
  | (Failure<'not-in-this-payment'> & { workOrderNumber: number })
  | Failure<'not-collected'> {
  const priced: PricedRow[] = [];
  for (const [index, asked] of lines.entries()) {
    const row = rows.find((each) => isSame(each, asked));
    if (!row) return fail('not-in-this-payment', { workOrderNumber: asked.workOrderNumber });
    if (!isCollected(row.chargeState)) return fail('not-collected');
    const line = priceLine(row, asked);
    if (!line.ok) return line.code === 'more-than-left' ? { ...line, line: index } : line;
    const { chargeId, franchiseId } = row;
    priced.push({ row, line: { ...line.value, chargeId, franchiseId } });
  }
  return ok(priced);
}

export async function findWhatBars(
  { env, books }: Pick<Deps, 'env' | 'books'>,
  tx: Queryable,
  { paymentId, priced }: { paymentId: string; priced: Pick<PricedRow, 'row'>[] },
): Promise<Failure<'disputed' | 'refund-held' | 'refunds-closed' | 'begun-elsewhere'> | null> {
  if (priced.some(({ row }) => row.disputeId !== null)) return fail('disputed');
  if (priced.some(({ row }) => row.isHeld)) return fail('refund-held');
  const chargeIds = priced.map(({ row }) => row.chargeId);
  const isElsewhere = await isBegunElsewhere(tx, { chargeIds, publicUrl: env.PUBLIC_URL });
  if (isElsewhere) return fail('begun-elsewhere');
  const franchiseIds = priced.map(({ row }) => row.franchiseId);
  const place = { publicUrl: env.PUBLIC_URL, intentId: paymentId, franchiseIds, seen: books.newest() };
  return (await areRefundsOpen(tx, place)) ? null : fail('refunds-closed');
}
