import type { Deps } from '../../../deps.ts';
import { listReviewed, type ReviewedCharge } from './review.queries.ts';

/** The charges that need a person, the longest waiting first. */
export function listReview({ db }: Pick<Deps, 'db'>): Promise<ReviewedCharge[]> {
  return listReviewed(db.query);
}
