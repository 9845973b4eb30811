import { type Cents, formatDollars } from '@brightpane/money/cents';
import type { Deps } from '../../../deps.ts';
import type { PaymentGateway, TransactionRecord } from '../../../gateway/payment-gateway.ts';
import type { Scan } from '../listings/scan-listing.ts';
import { type ComparedCharge, findByOrderIds } from './comparison.queries.ts';
import { releaseLateHold } from './release-late-hold.ts';

/** Where the provider's records and ours differ. A machine mends nothing of it, but a late hold is given back. */
export type Difference = {
  kind:
    | 'not-in-our-books'
    | 'not-at-the-provider'
    | 'not-captured-at-the-provider'
    | 'another-amount'
    | 'captured-but-not-accepted'
    | 'voided-by-hand'
    | 'refunded-by-hand'
    | 'late-hold-released'
    | 'late-hold';
  orderId: string;
  reference: string;
  amount: string;
};

/** Their books against ours. */
export async function compareRows(
  deps: Deps,
  { gateway, scan }: { gateway: PaymentGateway; scan: Scan },
): Promise<Difference[]> {
  const charges = await findByOrderIds(deps.db.query, [...scan.byOrderId.keys()]);
  const differences: Difference[] = [];
  for (const row of [...scan.byOrderId.values()].flat()) {
    const charge = charges.get(row.orderId);
    const kind = charge ? await compareTwice(deps, { gateway, charge, row }) : unknownRow(row);
    if (kind) differences.push(difference(kind, row));
  }
  return differences;
}

/** Our books against theirs. */
export function missingRows(captured: ComparedCharge[], scan: Scan): Difference[] {
  return captured
    .filter((charge) => !scan.byOrderId.has(charge.orderId))
    .map((charge) => difference('not-at-the-provider', { ...charge, reference: charge.reference ?? '' }));
}

const isPaidThere = (row: TransactionRecord) => row.state === 'captured' || row.state === 'settled';

/** Money that moved or is held under an order that we know nothing of: somebody's hand, or another system's. */
function unknownRow(row: TransactionRecord): Difference['kind'] | null {
  return isPaidThere(row) || row.state === 'held' ? 'not-in-our-books' : null;
}

/** A long list takes minutes to read: a difference is what both records show once more. */
async function compareTwice(
  deps: Deps,
  { gateway, charge, row }: { gateway: PaymentGateway; charge: ComparedCharge; row: TransactionRecord },
): Promise<Difference['kind'] | null> {
  if (!compareRow(charge, row)) return null;
  const { orderId, transactionKey } = row;
  const found = await gateway.find({ transactionKey });
  const isFresh = found.kind === 'found' && found.transaction.orderId === orderId;
  const freshRow = isFresh ? found.transaction : row;
  const freshCharge = (await findByOrderIds(deps.db.query, [orderId])).get(orderId) ?? charge;
  const kind = compareRow(freshCharge, freshRow);
  if (kind !== 'late-hold') return kind;
  const isReleased = await releaseLateHold(deps, { gateway, charge: freshCharge, row: freshRow });
  return isReleased ? 'late-hold-released' : 'late-hold';
}

const ENDED_WITHOUT_HOLD = ['refused', 'released', 'absent'];
const ACCEPTED = ['accepted', 'captured', 'reversing'];

function compareRow(charge: ComparedCharge, row: TransactionRecord): Difference['kind'] | null {
  if (row.isRefund) return row.state === 'voided' || row.state === 'none' ? null : 'refunded-by-hand';
  if (isPaidThere(row)) {
    if (!ACCEPTED.includes(charge.state)) return 'captured-but-not-accepted';
    return row.amountCents === charge.amountCents ? null : 'another-amount';
  }
  if (row.state === 'held' && ENDED_WITHOUT_HOLD.includes(charge.state)) return 'late-hold';
  if (charge.state !== 'captured') return null;
  return row.state === 'voided' ? 'voided-by-hand' : 'not-captured-at-the-provider';
}

function difference(
  kind: Difference['kind'],
  { orderId, reference, amountCents }: { orderId: string; reference: string; amountCents: Cents },
): Difference {
  return { kind, orderId, reference, amount: formatDollars(amountCents) };
}
