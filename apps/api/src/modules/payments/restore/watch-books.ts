import type { Deps } from '../../../deps.ts';
import { currentEpoch } from '../epoch/begin-epoch.ts';
import { findNewestIntent } from '../epoch/epoch.queries.ts';
import { lookAtAccounts } from './look-at-accounts.ts';

const INTERVAL_MILLISECONDS = 5_000;
/** Set by less, a clock is set right. */
const JUMP_MILLISECONDS = 60_000;

/**
 * Every few seconds, each instance: has the database become another one, or an older state of itself? So payments are
 * open again before anybody asks after a restart, and each instance knows what the others have committed.
 */
export function watchBooks(deps: Deps): { stop(): void } {
  let clocks = Date.now() - performance.now();
  let isWatching = false;
  const watch = async () => {
    if (isWatching) return;
    isWatching = true;
    try {
      // A machine that slept or was put back together with its memory shows by its wall clock, once that is right again.
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
