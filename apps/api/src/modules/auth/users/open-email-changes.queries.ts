import { type SQL, sql } from 'drizzle-orm';
import type { Queryable } from '../../../db/client.ts';
import { query } from '../../../db/query.ts';

/** A change that was neither confirmed, canceled nor undone. */
export const isOpen: SQL = sql`confirmed_at IS NULL AND cancelled_at IS NULL AND undone_at IS NULL`;

/** A new password or a newer request cancels the unconfirmed change of address. */
export async function cancelOpenEmailChange(tx: Queryable, userId: string): Promise<void> {
  await query(tx)`
    UPDATE email_change SET cancelled_at = engine_now() WHERE user_id = ${userId} AND ${isOpen}`;
}

/**
 * Ends all unconfirmed changes away from an address, canceled ones too, with their undo links: whoever resets the password there
 * has done what an undo does.
 */
export async function endUnconfirmedEmailChanges(
  tx: Queryable,
  { userId, email }: { userId: string; email: string },
): Promise<void> {
  await query(tx)`
    UPDATE email_change SET undone_at = engine_now()
     WHERE user_id = ${userId} AND old_email = ${email} AND confirmed_at IS NULL AND undone_at IS NULL`;
}
