import { setTimeout as wait } from 'node:timers/promises';
import type { Deps } from '../../../deps.ts';
import { fillSharePage } from './fill-shares.queries.ts';

const AT_A_TIME = 100;
/** After each page, the backfill pauses for this many times what the page took. */
const PAUSE_PER_PAGE = 5;
/** Less than the time until the next turn. */
const TURN_MILLISECONDS = 45_000;

/**
 * Backfills shares of older payments and franchises of older entries, page by page, with pauses that leave the database to
 * payers.
 */
export async function fillShares({ db, underWay }: Pick<Deps, 'db' | 'underWay'>): Promise<void> {
  const end = performance.now() + TURN_MILLISECONDS;
  while (performance.now() < end && !underWay.isEnding()) {
    const begin = performance.now();
    if ((await fillSharePage(db.query, { limit: AT_A_TIME })) === 0) return;
    await wait(PAUSE_PER_PAGE * (performance.now() - begin));
  }
}
