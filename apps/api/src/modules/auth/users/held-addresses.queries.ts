import { type SQL, sql } from 'drizzle-orm';
import type { Queryable } from '../../../db/client.ts';
import { query } from '../../../db/query.ts';

/** How long after a confirmed change the previous address may take the account back. */
export const UNDO_DAYS = 7;

export const undoUntil: SQL = sql`(confirmed_at + make_interval(days => ${UNDO_DAYS}))`;

/** Matches confirmed changes that may still be undone. */
export const isUndoable: SQL = sql`(
  confirmed_at > (SELECT engine_now()) - make_interval(days => ${UNDO_DAYS})
  AND undone_at IS NULL)`;

/** Whether undoing a change may return this address to its owner; until then nobody else gets it. */
export async function isHeldForUndo(db: Queryable, email: string): Promise<boolean> {
  const rows = await query(db)`
    SELECT FROM email_change WHERE old_email = ${email} AND ${isUndoable} LIMIT 1`;
  return rows.length > 0;
}
