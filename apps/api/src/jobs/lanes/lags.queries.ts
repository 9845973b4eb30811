import { sql } from 'drizzle-orm';
import type { Queryable } from '../../db/client.ts';
import { isUnleased } from '../../db/clock/ahead.queries.ts';
import { query } from '../../db/query.ts';
import { refundLag } from '../../modules/payments/refunds/sweep/refund-leases.queries.ts';
import { chargeLag } from '../../modules/payments/sweep/leases.queries.ts';
import { dueSince } from '../schedule.queries.ts';
import { SCHEDULE, type ScheduledTask } from '../schedule.ts';
import type { TaskName } from '../task-names.ts';

export type LaneLag = { lane: TaskName; seconds: number };

const sinceOldest = (column: string) =>
  sql`extract(epoch FROM (SELECT engine_now()) - min(${sql.raw(column)}))`;

/**
 * How long each lane's oldest work has waited according to the rows, whichever instance should have done it. Leaves out
 * resting accounts; they are reported by name instead, and charges and refunds of other deployments.
 */
export async function readLaneLags(db: Queryable, place: { publicUrl: string }): Promise<LaneLag[]> {
  const names = Object.keys(SCHEDULE) as ScheduledTask[];
  const scheduled = names.map(
    (name) => sql`
      UNION ALL SELECT ${name}, (SELECT extract(epoch FROM engine_now() - (${dueSince(SCHEDULE[name])}))
                                   FROM background_lane WHERE name = ${name} AND done_slot < engine_now())`,
  );
  return query<LaneLag>(db)`
    SELECT lane, greatest(0, coalesce(seconds, 0))::float8 AS seconds FROM (
      SELECT 'expire-payments' AS lane, (SELECT ${sinceOldest('deadline_at')} FROM payment_intent
                                          WHERE state = 'undecided') AS seconds
      UNION ALL SELECT 'sweep-charges', ${chargeLag('keyed', place)}
      UNION ALL SELECT 'find-holds', ${chargeLag('lost', place)}
      UNION ALL SELECT 'sweep-refunds', ${refundLag(place)}
      UNION ALL SELECT 'deliver-mail', (SELECT ${sinceOldest('next_try_at')} FROM outgoing_mail
                                         WHERE next_try_at IS NOT NULL
                                           AND ${isUnleased('lease_until')})
      UNION ALL SELECT 'answer-mail-requests', (SELECT ${sinceOldest('requested_at')} FROM mail_request)
      UNION ALL SELECT 'index-words', (SELECT extract(epoch FROM (SELECT engine_now()) - at) FROM word_change
                                        ORDER BY id LIMIT 1)
      ${sql.join(scheduled)}) AS lag`;
}
