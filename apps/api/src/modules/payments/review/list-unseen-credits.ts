import type { Deps } from '../../../deps.ts';
import { selectUnseenCredits, type UnseenCredit } from '../engine/credits.queries.ts';

/** Credits that couldn't be mailed and that nobody has seen yet. */
export function listUnseenCredits({ db }: Pick<Deps, 'db'>): Promise<UnseenCredit[]> {
  return selectUnseenCredits(db.query);
}
