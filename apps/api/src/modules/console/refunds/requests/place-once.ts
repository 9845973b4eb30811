import { databaseTrouble } from '../../../../db/database-trouble.ts';
import { refundProblem } from '../refunds.problems.ts';

/**
 * Places a request. If the database doesn't answer, it may have been placed; sending the same key again returns it, so
 * nothing is refunded twice.
 */
export async function placeOnce<Placed>(place: () => Promise<Placed>): Promise<Placed> {
  try {
    return await place();
  } catch (error) {
    const trouble = databaseTrouble(error);
    if (trouble === null) throw error;
    throw refundProblem({ code: trouble === 'locked' ? 'crowded' : 'unconfirmed' });
  }
}
