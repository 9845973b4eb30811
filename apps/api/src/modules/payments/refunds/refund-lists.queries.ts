import { sql } from 'drizzle-orm';
import type { Queryable } from '../../../db/client.ts';
import { query } from '../../../db/query.ts';

type Named = { refundId: string; intentId: string };

const named = sql`r.id AS "refundId", q.intent_id AS "intentId"`;

/**
 * Refunds that the backup shows as unfinished, once a restore was noticed; leaves out those requested since. The states
 * are named as in the index `refund_unfinished`, or Postgres wouldn't use it.
 */
export async function listRestoredRefunds(
  db: Queryable,
  { publicUrl }: { publicUrl: string },
): Promise<Named[]> {
  return query<Named>(db)`
    SELECT ${named}
      FROM refund r JOIN refund_request q ON q.id = r.request_id
     WHERE r.state IN ('requested', 'waiting', 'sending', 'unknown', 'held') AND r.state <> 'held'
       AND q.created_at < (SELECT restore_noticed_at FROM deployment WHERE public_url = ${publicUrl})
     ORDER BY q.created_at, r.id`;
}

const EXPIRE_DAYS = 14;

/** Requests without an approval after two weeks. */
export async function listExpiredRefunds(db: Queryable): Promise<Named[]> {
  return query<Named>(db)`
    SELECT ${named}
      FROM refund_request q JOIN refund r ON r.request_id = q.id AND r.state = 'requested'
     WHERE q.needs_approval AND q.approved_at IS NULL
       AND q.created_at < (SELECT engine_now()) - make_interval(days => ${EXPIRE_DAYS})
     ORDER BY q.created_at LIMIT 100`;
}
