import type { Deps } from '../../../deps.ts';
import { currentEpoch } from '../epoch/begin-epoch.ts';
import { findNewestIntent } from '../epoch/epoch.queries.ts';
import { lookAtAccounts } from './look-at-accounts.ts';

const INTERVAL_MILLISECONDS = 5_000;
/** A smaller jump is an ordinary clock correction. */
const JUMP_MILLISECONDS = 60_000;

/**
 * Checks every few seconds, on each instance, whether the database became another one or an older state of itself. So
 * payments reopen after a restart before anyone asks, and each instance knows what the others committed.
 */
export function watchBooks(deps: Deps): { stop(): void } {
  let clocks = Date.now() - performance.now();
  let isWatching = false;
  const watch = async () => {
    if (isWatching) return;
    isWatching = true;
    try {
      // The wall clock jumps once it is corrected after the machine slept or was restored with its memory.
      const jump = Date.now() - performance.now() - clocks;
      clocks += jump;
      const isJump = Math.abs(jump) > JUMP_MILLISECONDS;
      await watchOnce(deps, isJump ? { jumpMilliseconds: Math.abs(jump) } : {});
    } catch (error) {
      deps.log.warn({ err: error }, 'the books could not be watched');
    } finally {
      isWatching = false;
    }
  };
  const timer = setInterval(watch, INTERVAL_MILLISECONDS);
  void watch();
  return { stop: () => clearInterval(timer) };
}

export async function watchOnce(
  deps: Deps,
  { jumpMilliseconds }: { jumpMilliseconds?: number } = {},
): Promise<void> {
  const doubt = jumpMilliseconds && { before: new Date(Date.now() - jumpMilliseconds) };
  await currentEpoch(deps, doubt ? { doubt } : {});
  await lookAtAccounts(deps, { franchiseIds: null, patience: 'payer' });
  const newest = await findNewestIntent(deps.db.query);
  if (newest) deps.books.remember(newest);
}
