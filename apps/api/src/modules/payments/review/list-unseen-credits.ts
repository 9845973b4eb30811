import type { Deps } from '../../../deps.ts';
import { selectUnseenCredits, type UnseenCredit } from '../engine/credits.queries.ts';

/** The credits that no mail told of, and that nobody has looked at. */
export function listUnseenCredits({ db }: Pick<Deps, 'db'>): Promise<UnseenCredit[]> {
  return selectUnseenCredits(db.query);
}
