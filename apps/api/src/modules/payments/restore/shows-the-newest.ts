import type { TransactionRecord } from '../../../gateway/payment-gateway.ts';
import type { Scan } from '../listings/scan-listing.ts';

const MINUTE_MILLISECONDS = 60_000;
const DAY_MILLISECONDS = 24 * 60 * MINUTE_MILLISECONDS;
/** Orders reach the provider up to 65 s after their commit, so an unknown one may be listed behind a known one. */
const LATE_MILLISECONDS = 2 * MINUTE_MILLISECONDS;
/** An extra hour, because the list shows the merchant's wall clock, which changes twice a year. */
const ANY_CLOCK_MILLISECONDS = 70 * MINUTE_MILLISECONDS;

/**
 * How far behind our newest order a look reads. A cluster that waits for a standby loses nothing in a promotion, so
 * there a look reads as little as it may: at many payments an hour, an hour is many pages.
 */
export const lookBackMilliseconds = ({ waitsForStandby }: { waitsForStandby: boolean }): number =>
  waitsForStandby ? LATE_MILLISECONDS : ANY_CLOCK_MILLISECONDS;

/** Whether the list was read that far behind our newest order. */
export function showsTheNewest(
  rows: TransactionRecord[],
  { seen, backMilliseconds }: { seen: Scan['byOrderId']; backMilliseconds: number },
): boolean {
  const newest = newestOrder(rows);
  if (!newest?.createdAt) return false;
  const oldest = newest.createdAt.getTime() - backMilliseconds;
  return [...seen.values()]
    .flat()
    .some(({ createdAt }) => createdAt !== null && createdAt.getTime() < oldest);
}

/**
 * A refund has its sale's order id, but may be made at any later time, so it proves nothing about newer orders. An order
 * whose refund is listed first is skipped altogether: rows are grouped by order, so nothing tells where its sale stands.
 */
function newestOrder(rows: TransactionRecord[]): TransactionRecord | undefined {
  const met = new Set<string>();
  return rows.find(({ orderId, isRefund }) => {
    const isFirst = !met.has(orderId);
    met.add(orderId);
    return isFirst && !isRefund;
  });
}

/**
 * How far back, by the list's own clock, a second look has to read: to the newest row of the first one, less what the
 * list may have lacked. Orders made since would end that look before. Without a time on any row, a day covers every clock.
 */
export function confirmBackOf({ byOrderId }: Pick<Scan, 'byOrderId'>, now: Date): Date {
  const times = [...byOrderId.values()].flat().flatMap(({ createdAt }) => createdAt?.getTime() ?? []);
  const newest = times.reduce((latest, time) => Math.max(latest, time), Number.NEGATIVE_INFINITY);
  return Number.isFinite(newest)
    ? new Date(newest - ANY_CLOCK_MILLISECONDS)
    : new Date(now.getTime() - DAY_MILLISECONDS);
}
