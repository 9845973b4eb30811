import { type SQL, sql } from 'drizzle-orm';

/**
 * An account's addresses, each with the time during which it was the account's own. A changed address counts until its
 * undo expires, as nobody else can have it before.
 */
export const addressesOf = (userId: string): SQL => sql`(
  SELECT u.email AS address, 'infinity'::timestamptz AS until,
         coalesce((SELECT max(c.asked_at) FROM email_change c
                    WHERE c.user_id = u.id AND c.new_email = u.email AND c.confirmed_at IS NOT NULL
                      AND c.undone_at IS NULL), u.created_at) AS since
    FROM app_user u WHERE u.id = ${userId}
  UNION ALL
  SELECT c.old_email, c.confirmed_at + interval '7 days', u.created_at
    FROM email_change c JOIN app_user u ON u.id = c.user_id
   WHERE c.user_id = ${userId} AND c.confirmed_at IS NOT NULL AND c.undone_at IS NULL)`;
