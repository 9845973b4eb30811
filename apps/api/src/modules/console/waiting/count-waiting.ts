import { MOST_WAITING } from '@brightpane/contract/office/most-shown';
import type { Waiting } from '@brightpane/contract/office/waiting';
import type { Deps } from '../../../deps.ts';
import type { OfficeCaller } from '../../../http/office-caller.ts';
import { countCreditsToLookAt, countInReview, countOverpaid, countRefundsToDo } from './waiting.queries.ts';

/** Counts what waits for a caller, within their rights and franchises. */
export async function countWaiting(
  { db }: Pick<Deps, 'db'>,
  { id, rights }: Pick<OfficeCaller, 'id' | 'rights'>,
): Promise<Waiting> {
  return {
    review: rights.has('review') ? await countInReview(db.query, { most: MOST_WAITING }) : null,
    overpaid: await countOverpaid(db.query, { actorId: id, most: MOST_WAITING }),
    refunds: await countRefundsToDo(db.query, { actorId: id, most: MOST_WAITING }),
    credits: await countCreditsToLookAt(db.query, { actorId: id, most: MOST_WAITING }),
  };
}
