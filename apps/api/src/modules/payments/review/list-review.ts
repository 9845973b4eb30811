import type { Deps } from '../../../deps.ts';
import { type ListedCharge, listReviewed } from './review.queries.ts';

/** The charges that need a person, the longest waiting first. */
export function listReview(
  { db }: Pick<Deps, 'db'>,
  { actorId }: { actorId: string },
): Promise<ListedCharge[]> {
  return listReviewed(db.query, { actorId });
}
