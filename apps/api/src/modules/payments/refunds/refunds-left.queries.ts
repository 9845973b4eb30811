import { type SQL, sql } from 'drizzle-orm';
import type { Queryable } from '../../../db/client.ts';
import { query } from '../../../db/query.ts';

/** Whether `r` is held, or has waited to be sent for too long: whatever moves it on takes the mark away. */
export const isInReview: SQL = sql`r.review_since IS NOT NULL`;

/** Whether `r` came to nothing, and nobody has closed it or sent it again. */
export const cameToNothing: SQL = sql`
  (r.state IN ('refused', 'not_made') AND r.closed_at IS NULL
     AND (SELECT again.id FROM refund again WHERE again.retry_of = r.id) IS NULL)`;

/** Whether a person must act on `r`: decide, see why it waits, or close a refund that failed. */
export const needsPerson: SQL = sql`(${isInReview} OR ${cameToNothing})`;

/** Whether `r` still waits for somebody or something, in the words of its index. */
export const isLeft: SQL = sql`r.closed_at IS NULL AND r.state NOT IN ('made', 'withdrawn')`;

/** Counts the refunds that need a person. */
export const refundsThatNeedPerson: SQL = sql`
  (SELECT count(*)::integer FROM refund r WHERE ${isLeft} AND ${needsPerson})`;

/** Counts the provider's refunds that none of ours owns. */
export const unclaimedRefunds: SQL = sql`
  (SELECT count(*)::integer FROM seen_refund s WHERE s.refund_id IS NULL AND s.type = 'C')`;

/** Counts unacknowledged double refunds that the comparison found. */
export const refundedTwice: SQL = sql`
  (SELECT count(*)::integer FROM book_difference WHERE kind = 'refunded-twice' AND acknowledged_at IS NULL)`;

export type OpenRefunds = { state: string; count: number; since: string; oldestSeconds: number };

/** Unfinished refunds by state, with the oldest by request time. */
export async function countOpenRefunds(db: Queryable): Promise<OpenRefunds[]> {
  return query<OpenRefunds>(db)`
    SELECT r.state, count(*)::integer AS count, to_json(min(q.created_at)) #>> '{}' AS since,
           greatest(0, extract(epoch FROM (SELECT engine_now()) - min(q.created_at)))::float8 AS "oldestSeconds"
      FROM refund r JOIN refund_request q ON q.id = r.request_id
     WHERE ${isLeft} AND r.state NOT IN ('refused', 'not_made')
     GROUP BY r.state ORDER BY r.state`;
}
