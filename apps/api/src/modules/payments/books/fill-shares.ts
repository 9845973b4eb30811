import { setTimeout as wait } from 'node:timers/promises';
import type { Deps } from '../../../deps.ts';
import { fillSharePage } from './shares.queries.ts';

const AT_A_TIME = 500;
/** Less than until the next turn. */
const TURN_MILLISECONDS = 45_000;

/**
 * Gives older payments their shares and older entries their franchise, page by page. It rests for as long as each page
 * took, so that who pays meanwhile hardly notices.
 */
export async function fillShares({ db, underWay }: Pick<Deps, 'db' | 'underWay'>): Promise<void> {
  const end = performance.now() + TURN_MILLISECONDS;
  while (performance.now() < end && !underWay.isEnding()) {
    const begin = performance.now();
    if ((await fillSharePage(db.query, { limit: AT_A_TIME })) === 0) return;
    await wait(performance.now() - begin);
  }
}
