import type { Deps } from '../../../deps.ts';
import { type ListedCharge, listReviewed } from './review.queries.ts';

/** Charges that need a person, longest waiting first. */
export function listReview(
  { db }: Pick<Deps, 'db'>,
  { actorId }: { actorId: string },
): Promise<ListedCharge[]> {
  return listReviewed(db.query, { actorId });
}
