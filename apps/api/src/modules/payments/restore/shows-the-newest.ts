import type { TransactionRecord } from '../../../gateway/payment-gateway.ts';
import type { Scan } from '../listings/scan-listing.ts';

const MINUTE_MILLISECONDS = 60_000;
/** Orders reach the provider up to 65 s after their commit, so an unknown one may stand behind a known one. */
const LATE_MILLISECONDS = 2 * MINUTE_MILLISECONDS;
/** An hour more, because the list tells the merchant's wall clock, which is set twice a year. */
const ANY_CLOCK_MILLISECONDS = 70 * MINUTE_MILLISECONDS;

/**
 * How far behind the newest order of ours a look reads. A cluster that acknowledges nothing before a standby has it loses
 * nothing by a promotion, and with many payments an hour of them is many pages: there the look reads no more than it must.
 */
export const lookBackMilliseconds = ({ waitsForStandby }: { waitsForStandby: boolean }): number =>
  waitsForStandby ? LATE_MILLISECONDS : ANY_CLOCK_MILLISECONDS;

/** Whether what was read of a list goes back so far behind its newest row of ours. */
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
