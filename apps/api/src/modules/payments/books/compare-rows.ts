import { type Cents, formatDollars } from '@brightpane/money/cents';
import type { ChargeState } from '../../../db/schema/payments.ts';
import type { Deps } from '../../../deps.ts';
import {
  isPaidThere,
  type PaymentGateway,
  type TransactionRecord,
} from '../../../gateway/payment-gateway.ts';
import { isAccepted } from '../engine/charge-states.ts';
import type { Scan } from '../listings/scan-listing.ts';
import { type ComparedRefund, findRefundsOfRows } from './compared-refunds.queries.ts';
import { type ComparedCharge, findByOrderIds, findUntoldReleases } from './comparison.queries.ts';
import { releaseLateHold } from './release-late-hold.ts';

/** A difference between the provider's records and ours. Only a late hold is fixed automatically, by releasing it. */
export type Difference = {
  kind:
    | 'not-in-our-books'
    | 'not-at-the-provider'
    | 'not-captured-at-the-provider'
    | 'another-amount'
    | 'captured-but-not-accepted'
    | 'voided-by-hand'
    | 'unclaimed-refund'
    | 'late-refund'
    | 'refunded-twice'
    | 'refund-not-at-the-provider'
    | 'refund-of-another-amount'
    | 'refund-undone-there'
    | 'void-undone-there'
    | 'unknown-refund'
    | 'late-hold-released'
    | 'late-hold';
  orderId: string;
  reference: string;
  amount: string;
};

/** The provider's rows by order id. */
export type Rows = Pick<Scan, 'byOrderId'>;

/** Checks the provider's rows against our books. */
export async function compareRows(
  deps: Deps,
  { gateway, scan }: { gateway: PaymentGateway; scan: Rows },
): Promise<Difference[]> {
  const rows = [...scan.byOrderId.values()].flat();
  const charges = await findByOrderIds(deps.db.query, [...scan.byOrderId.keys()]);
  const refunds = await findRefundsOfRows(deps.db.query, rows);
  const untold = await findUntoldReleases(
    deps.db.query,
    rows.filter(({ state }) => state === 'voided'),
  );
  const differences: Difference[] = untold.map((row) => difference('late-hold-released', row));
  for (const row of rows) {
    const charge = charges.get(row.orderId);
    const refund = refunds.get(row.transactionKey);
    const isSecond = isSecondOf(charge, row, scan);
    const kind = charge
      ? await compareTwice(deps, { gateway, charge, refund, row, isSecond })
      : unknownRow(row, refund);
    if (kind) differences.push(difference(kind, row));
  }
  return differences;
}

/**
 * Money moved or held under an order that we don't know: made by hand, or by another system. A refund of ours whose row
 * lacks its order is told by its key.
 */
function unknownRow(row: TransactionRecord, refund?: ComparedRefund): Difference['kind'] | null {
  if (refund?.isOwner) return compareRefund(refund, row);
  if (isRefundThere(row)) return 'unknown-refund';
  return isPaidThere(row) || row.state === 'held' ? 'not-in-our-books' : null;
}

/** Somebody made another transaction under the charge's order id: the list shows the charge's own, too. */
function isSecondOf(
  charge: ComparedCharge | undefined,
  row: TransactionRecord,
  { byOrderId }: Rows,
): boolean {
  const isOwn = ({ transactionKey }: TransactionRecord) => transactionKey === charge?.transactionKey;
  return !row.isRefund && !isOwn(row) && (byOrderId.get(row.orderId) ?? []).some(isOwn);
}

type Compared = {
  charge: ComparedCharge;
  refund: ComparedRefund | undefined;
  row: TransactionRecord;
  isSecond: boolean;
};

/** A long list takes minutes to read, so only a difference that both records still show counts. */
async function compareTwice(
  deps: Deps,
  { gateway, ...compared }: Compared & { gateway: PaymentGateway },
): Promise<Difference['kind'] | null> {
  if (!compareRow(compared)) return null;
  const { charge, row, isSecond } = compared;
  const { orderId, transactionKey } = row;
  const found = await gateway.find({ transactionKey });
  const isFresh = found.kind === 'found' && found.transaction.orderId === orderId;
  const freshRow = isFresh ? found.transaction : row;
  const freshCharge = (await findByOrderIds(deps.db.query, [orderId])).get(orderId) ?? charge;
  const refund = (await findRefundsOfRows(deps.db.query, [freshRow])).get(transactionKey);
  const kind = compareRow({ charge: freshCharge, refund, row: freshRow, isSecond });
  if (kind !== 'late-hold') return kind;
  const isReleased = await releaseLateHold(deps, { gateway, charge: freshCharge, row: freshRow });
  return isReleased ? 'late-hold-released' : 'late-hold';
}

const ENDED_WITHOUT_HOLD: readonly ChargeState[] = ['refused', 'released', 'absent'];

function compareRow({ charge, refund, row, isSecond }: Compared): Difference['kind'] | null {
  if (row.isRefund) return charge.isMoving ? null : compareRefund(refund, row);
  if (isPaidThere(row)) {
    if (isSecond || !isAccepted(charge.state)) return 'captured-but-not-accepted';
    if (charge.isVoided) return 'void-undone-there';
    return row.amountCents === charge.amountCents ? null : 'another-amount';
  }
  if (row.state === 'held' && ENDED_WITHOUT_HOLD.includes(charge.state)) return 'late-hold';
  if (isSecond) return isAccepted(charge.state) ? unknownRow(row) : null;
  if (charge.state !== 'captured' || charge.isVoided || charge.isMoving) return null;
  return row.state === 'voided' ? 'voided-by-hand' : 'not-captured-at-the-provider';
}

/** An approved refund must belong to one of ours, match its amount and stay made. */
function compareRefund(
  refund: ComparedRefund | undefined,
  row: TransactionRecord,
): Difference['kind'] | null {
  const isMade = refund?.isOwner === true && !refund.isUndone;
  if (!isRefundThere(row)) return isMade && row.state === 'voided' ? 'refund-undone-there' : null;
  if (isMade) return row.amountCents === refund.amountCents ? null : 'refund-of-another-amount';
  if (!refund?.wasGivenUp) return 'unclaimed-refund';
  return refund.wasMadeGood ? 'refunded-twice' : 'late-refund';
}

const isRefundThere = ({ isRefund, state }: TransactionRecord) =>
  isRefund && state !== 'voided' && state !== 'none';

export function difference(
  kind: Difference['kind'],
  { orderId, reference, amountCents }: { orderId: string; reference: string; amountCents: Cents },
): Difference {
  return { kind, orderId, reference, amount: formatDollars(amountCents) };
}
