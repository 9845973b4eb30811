import type { Deps } from '../../../deps.ts';
import type { Scan } from './scan-listing.ts';
import { moveCoverage, storeSeenRefunds } from './seen-refunds.queries.ts';

const DAY_MILLISECONDS = 24 * 60 * 60 * 1000;

/** Stores the refunds that a reading showed and, for a complete reading, the period now known without a gap. */
export async function keepSeenRefunds(
  { db }: Pick<Deps, 'db'>,
  { accountId, back, scan }: { accountId: number; back: Date; scan: Scan },
): Promise<void> {
  await storeSeenRefunds(db.query, { accountId, byOrderId: scan.byOrderId });
  if (!scan.isComplete) return;
  // Leave out a day of what was read: the merchant's clock may be many hours off.
  const from = new Date(back.getTime() + DAY_MILLISECONDS);
  if (from < scan.beganAt) await moveCoverage(db.query, { accountId, from, until: scan.beganAt });
}
