import type { Deps } from '../../../deps.ts';
import type { Scan } from './scan-listing.ts';
import { moveCoverage, storeSeenRefunds } from './seen-refunds.queries.ts';

const DAY_MILLISECONDS = 24 * 60 * 60 * 1000;

/** Keeps the refunds that a reading has shown, and remembers from when to when a whole one leaves no gap. */
export async function keepSeenRefunds(
  { db }: Pick<Deps, 'db'>,
  { accountId, back, scan }: { accountId: number; back: Date; scan: Scan },
): Promise<void> {
  await storeSeenRefunds(db.query, { accountId, byOrderId: scan.byOrderId });
  if (!scan.isComplete || !scan.beganAt) return;
  // The merchant's clock may be many hours off: a day of what was read does not count as known.
  const from = new Date(back.getTime() + DAY_MILLISECONDS);
  if (from < scan.beganAt) await moveCoverage(db.query, { accountId, from, until: scan.beganAt });
}
