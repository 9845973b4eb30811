import { type SQL, sql } from 'drizzle-orm';
import { UNDO_DAYS } from '../auth/users/held-addresses.queries.ts';

/** How far ahead the clock of the process that made the account may have been (decision 63). */
const CLOCKS_DIFFER_SECONDS = 2;

/**
 * An account's addresses, each with the time during which it was the account's own: from the change that brought it, or
 * from the start. A changed address counts until its undo expires, as nobody else can have it before. `left_at`: when the account
 * moved on from it. `free_since`: from when nobody else had it, as far as accounts' changes tell.
 */
export const addressesOf = (userId: string): SQL => sql`(
  WITH moved AS (
    SELECT id, old_email, new_email, confirmed_at FROM email_change
     WHERE user_id = ${userId} AND confirmed_at IS NOT NULL AND undone_at IS NULL),
  had AS (
    SELECT NULL::uuid AS change_id, u.created_at - make_interval(secs => ${CLOCKS_DIFFER_SECONDS}) AS since,
           NULL::timestamptz AS confirmed_at,
           coalesce((SELECT old_email FROM moved ORDER BY confirmed_at LIMIT 1), u.email) AS address
      FROM app_user u WHERE u.id = ${userId}
    UNION ALL
    SELECT id, confirmed_at, confirmed_at, new_email FROM moved),
  had_until AS (
    SELECT had.*, lead(since) OVER (ORDER BY confirmed_at NULLS FIRST) AS left_at FROM had)
  SELECT address, change_id, since, left_at, coalesce(left_at + make_interval(days => ${UNDO_DAYS}), 'infinity') AS until,
         coalesce((SELECT max(c.confirmed_at) + make_interval(days => ${UNDO_DAYS}) FROM email_change c
                    WHERE c.old_email = had_until.address AND c.confirmed_at IS NOT NULL AND c.undone_at IS NULL
                      AND c.user_id <> ${userId} AND c.confirmed_at < had_until.since), '-infinity') AS free_since
    FROM had_until)`;
