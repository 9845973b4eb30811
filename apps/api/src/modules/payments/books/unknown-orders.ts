import { PORTAL } from '../../../db/audit.queries.ts';
import type { Deps } from '../../../deps.ts';
import { isPaidThere, type TransactionRecord } from '../../../gateway/payment-gateway.ts';
import { isAccepted } from '../engine/charge-states.ts';
import { currentEpoch, noticeRestore } from '../epoch/begin-epoch.ts';
import { listOrderPrefixes } from '../epoch/epoch.queries.ts';
import { isOrderOf } from '../epoch/order-ids.ts';
import { findLostOrders } from '../epoch/restore.queries.ts';
import type { Scan } from '../listings/scan-listing.ts';
import { findAcceptedElsewhere, findByOrderIds } from './comparison.queries.ts';
import { findDealtWith } from './differences.queries.ts';

/** Rows of orders made at any address of these books. */
export function ours(byOrderId: Scan['byOrderId'], prefixes: string[]): TransactionRecord[] {
  return [...byOrderId].filter(([orderId]) => isOrderOf(prefixes, orderId)).flatMap(([, rows]) => rows);
}

/**
 * Rows that prove these books to be older than the provider's records: an unknown order, or one captured there but not
 * accepted here, under any order. Both are committed here before they are done there. Somebody may also have captured a hold
 * by hand: once a person has dealt with that, here, it proves nothing.
 */
export async function unknownOrders(
  { db }: Pick<Deps, 'db'>,
  rows: TransactionRecord[],
): Promise<TransactionRecord[]> {
  const orderIds = [...new Set(rows.map(({ orderId }) => orderId))];
  if (orderIds.length === 0) return [];
  const charges = await findByOrderIds(db.query, orderIds);
  const lost = await findLostOrders(db.query, orderIds);
  const dealtWith = await findDealtWith(db.query, orderIds);
  const unknown = rows.filter((row) => {
    if (lost.has(row.orderId) || dealtWith.has(row.orderId)) return false;
    const charge = charges.get(row.orderId);
    if (!charge) return true;
    return !row.isRefund && isPaidThere(row) && !isAccepted(charge.state);
  });
  const elsewhere = await findAcceptedElsewhere(db.query, unknown);
  return unknown.filter(({ transactionKey }) => !elsewhere.has(transactionKey));
}

/**
 * Notices a restore when a list read for another reason shows an order that these books lack. Leaves orders captured by
 * hand to the comparison of the books.
 */
export async function noticeLostOrders(
  deps: Pick<Deps, 'db' | 'env' | 'log' | 'books'>,
  { accountId, byOrderId }: { accountId: number } & Pick<Scan, 'byOrderId'>,
): Promise<void> {
  const { epoch, isNoticed } = await currentEpoch(deps);
  if (isNoticed) return;
  const unknown = await unknownOrders(deps, ours(byOrderId, await listOrderPrefixes(deps.db.query)));
  const known = await findByOrderIds(
    deps.db.query,
    unknown.map(({ orderId }) => orderId),
  );
  const orderIds = unknown.map(({ orderId }) => orderId).filter((orderId) => !known.has(orderId));
  if (orderIds.length > 0) await noticeOlderBooks(deps, { accountId, epoch, orderIds });
}

export async function noticeOlderBooks(
  deps: Pick<Deps, 'db' | 'env' | 'log'>,
  { accountId, epoch, orderIds }: { accountId: number; epoch: string; orderIds: string[] },
): Promise<void> {
  await noticeRestore(deps, {
    actor: PORTAL,
    shown: { epoch, accountId },
    detail: { accountId, orderIds: orderIds.slice(0, 10) },
  });
}
