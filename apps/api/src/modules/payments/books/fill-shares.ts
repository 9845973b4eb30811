import { setTimeout as wait } from 'node:timers/promises';
import type { Deps } from '../../../deps.ts';
import { fillSharePage } from './shares.queries.ts';

const AT_A_TIME = 500;
/** Less than the time until the next turn. */
const TURN_MILLISECONDS = 45_000;

/**
 * Backfills shares of older payments and franchises of older entries, page by page. Rests as long as each page took, to
 * leave the database to payers.
 */
export async function fillShares({ db, underWay }: Pick<Deps, 'db' | 'underWay'>): Promise<void> {
  const end = performance.now() + TURN_MILLISECONDS;
  while (performance.now() < end && !underWay.isEnding()) {
    const begin = performance.now();
    if ((await fillSharePage(db.query, { limit: AT_A_TIME })) === 0) return;
    await wait(performance.now() - begin);
  }
}
