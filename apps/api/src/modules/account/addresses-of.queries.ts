import { type SQL, sql } from 'drizzle-orm';

/**
 * The addresses of an account, and from when to when each was its own. For the address before a change that is until it
 * could be somebody else's.
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
