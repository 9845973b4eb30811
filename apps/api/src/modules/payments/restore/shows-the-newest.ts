import type { TransactionRecord } from '../../../gateway/payment-gateway.ts';
import type { Scan } from '../listings/scan-listing.ts';

const MINUTE_MILLISECONDS = 60_000;
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

/** Whether the list was read that far behind our newest row. */
export function showsTheNewest(
  [newest]: TransactionRecord[],
  { seen, backMilliseconds }: { seen: Scan['byOrderId']; backMilliseconds: number },
): boolean {
  if (!newest?.createdAt) return false;
  const oldest = newest.createdAt.getTime() - backMilliseconds;
  return [...seen.values()]
    .flat()
    .some(({ createdAt }) => createdAt !== null && createdAt.getTime() < oldest);
}
