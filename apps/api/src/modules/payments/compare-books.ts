import { type Cents, formatDollars } from '@brightpane/money/cents';
import type { Deps } from '../../deps.ts';
import type { PaymentGateway, TransactionRecord } from '../../gateway/payment-gateway.ts';
import { openMerchantKeys } from '../merchant-accounts/open-merchant-keys.ts';
import {
  type ComparedCharge,
  findByOrderIds,
  listCapturedCharges,
  listComparedAccounts,
  recordComparison,
} from './comparison.queries.ts';
import { releaseLateHold } from './release-late-hold.ts';
import { type Scan, scanListing } from './scan-listing.ts';
import { noticeLostOrders } from './unknown-orders.ts';

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

export type Comparison = { compared: number; isComplete: boolean; differences: Difference[] };

/** How far back a comparison looks, so that a night without one is made up for. */
const DAYS = 3;
const DAY_MILLISECONDS = 24 * 60 * 60 * 1000;

/** Compares both books of every merchant account, one way and the other, over the last days. */
export async function compareBooks(deps: Deps): Promise<Comparison> {
  const all = new Map<string, Difference>();
  let compared = 0;
  let isComplete = true;
  for (const { accountId, isCurrent } of await listComparedAccounts(deps.db.query, { days: DAYS })) {
    const comparison = await compareAccount(deps, { accountId });
    compared += comparison.compared;
    // Old keys that are refused by now are no gap: the owner's newer ones show the same account.
    isComplete &&= comparison.isComplete || !isCurrent;
    // Two pairs of keys may reach one account, and show the same rows.
    for (const each of comparison.differences)
      all.set(`${each.kind} ${each.orderId} ${each.reference}`, each);
  }
  const differences = [...all.values()];
  deps.crashPoint('47-before-compared');
  await recordComparison(deps.db.query, { compared, isComplete, differences: differences.length });
  for (const each of differences) deps.log.error({ ...each, alert: 'the books differ' }, 'a difference');
  return { compared, isComplete, differences };
}

async function compareAccount(deps: Deps, { accountId }: { accountId: number }): Promise<Comparison> {
  const captured = await listCapturedCharges(deps.db.query, { accountId, days: DAYS });
  const [keys] = await openMerchantKeys(deps, { accountId });
  const gateway = deps.gateways.of(keys);
  // A day further back than what is compared: the merchant's clock may be many hours off.
  const back = new Date(captured.nowMilliseconds - (DAYS + 1) * DAY_MILLISECONDS);
  const scan = await scanListing(deps, { gateway, accountId, back });
  deps.crashPoint('23-inside-comparison');
  await noticeLostOrders(deps, { accountId, byOrderId: scan.byOrderId });
  const differences = [
    ...(await compareRows(deps, { gateway, scan })),
    ...(scan.isComplete ? missingRows(captured.charges, scan) : []),
  ];
  return { compared: captured.charges.length, isComplete: scan.isComplete, differences };
}

/** Their books against ours. */
async function compareRows(
  deps: Deps,
  { gateway, scan }: { gateway: PaymentGateway; scan: Scan },
): Promise<Difference[]> {
  const charges = await findByOrderIds(deps.db.query, [...scan.byOrderId.keys()]);
  const differences: Difference[] = [];
  for (const row of [...scan.byOrderId.values()].flat()) {
    const charge = charges.get(row.orderId);
    const kind = charge ? await compareRow(deps, { gateway, charge, row }) : unknownRow(row);
    if (kind) differences.push(difference(kind, row));
  }
  return differences;
}

const isPaidThere = (row: TransactionRecord) => row.state === 'captured' || row.state === 'settled';

/** Money that moved or is held under an order that we know nothing of: somebody's hand, or another system's. */
function unknownRow(row: TransactionRecord): Difference['kind'] | null {
  return isPaidThere(row) || row.state === 'held' ? 'not-in-our-books' : null;
}

const ENDED_WITHOUT_HOLD = ['refused', 'released', 'absent'];
const ACCEPTED = ['accepted', 'captured', 'reversing'];

async function compareRow(
  deps: Deps,
  { gateway, charge, row }: { gateway: PaymentGateway; charge: ComparedCharge; row: TransactionRecord },
): Promise<Difference['kind'] | null> {
  if (row.isRefund) return row.state === 'voided' ? null : 'refunded-by-hand';
  if (isPaidThere(row)) {
    if (!ACCEPTED.includes(charge.state)) return 'captured-but-not-accepted';
    return row.amountCents === charge.amountCents ? null : 'another-amount';
  }
  if (row.state === 'held' && ENDED_WITHOUT_HOLD.includes(charge.state)) {
    const released = await releaseLateHold(deps, { gateway, charge, row });
    return released ? 'late-hold-released' : 'late-hold';
  }
  if (charge.state !== 'captured') return null;
  return row.state === 'voided' ? 'voided-by-hand' : 'not-captured-at-the-provider';
}

/** Our books against theirs. */
function missingRows(captured: ComparedCharge[], scan: Scan): Difference[] {
  return captured
    .filter((charge) => !scan.byOrderId.has(charge.orderId))
    .map((charge) => difference('not-at-the-provider', { ...charge, reference: charge.reference ?? '' }));
}

function difference(
  kind: Difference['kind'],
  { orderId, reference, amountCents }: { orderId: string; reference: string; amountCents: Cents },
): Difference {
  return { kind, orderId, reference, amount: formatDollars(amountCents) };
}
