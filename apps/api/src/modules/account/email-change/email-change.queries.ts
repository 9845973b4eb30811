import { USER_TYPE } from '@brightpane/contract/customers/users';
import { type SQL, sql } from 'drizzle-orm';
import type { Queryable } from '../../../db/client.ts';
import { listOf, onlyRow, query } from '../../../db/query.ts';
import { columnsOf } from '../../../db/schema/columns.ts';
import { emailChange } from '../../../db/schema/people.ts';
import { isUndoable, UNDO_DAYS, undoUntil } from '../../auth/users/held-addresses.queries.ts';
import { isOpen } from '../../auth/users/open-email-changes.queries.ts';

export type EmailChange = typeof emailChange.$inferSelect;

const CONFIRM_HOURS = 24;
/** Lifetime of the undo link while unconfirmed: as if the change had been confirmed at the last moment. */
const UNCONFIRMED_UNDO_DAYS = UNDO_DAYS + CONFIRM_HOURS / 24;

const change = columnsOf(emailChange);

const isAskedWithin = (interval: SQL): SQL => sql`asked_at > (SELECT engine_now()) - ${interval}`;

/** Unconfirmed, and still confirmable. */
const isPending = sql`${isOpen} AND ${isAskedWithin(sql`make_interval(hours => ${CONFIRM_HOURS})`)}`;

/** Canceled changes, too: the thief of a session cancels one before its owner has read that somebody knows the password. */
const mayBeUndone = sql`
  (${isUndoable} OR (confirmed_at IS NULL AND undone_at IS NULL
    AND ${isAskedWithin(sql`make_interval(days => ${UNCONFIRMED_UNDO_DAYS})`)}))`;

export async function insertEmailChange(
  tx: Queryable,
  row: Pick<EmailChange, 'id' | 'userId' | 'oldEmail' | 'newEmail' | 'confirmHash'>,
): Promise<void> {
  await query(tx)`
    INSERT INTO email_change (id, user_id, old_email, new_email, confirm_hash, asked_at)
    VALUES (${row.id}, ${row.userId}, ${row.oldEmail}, ${row.newEmail}, ${row.confirmHash}, engine_now())`;
}

export async function findPendingEmail(db: Queryable, userId: string): Promise<string | undefined> {
  const [row] = await query<{ newEmail: string }>(db)`
    SELECT new_email AS "newEmail" FROM email_change WHERE user_id = ${userId} AND ${isPending}`;
  return row?.newEmail;
}

/** The account's undoable change. It has at most one. */
export async function findUndoableChange(
  db: Queryable,
  userId: string,
): Promise<{ oldEmail: string; undoUntil: Date } | undefined> {
  const [row] = await query<{ oldEmail: string; undoUntil: Date }>(db)`
    SELECT old_email AS "oldEmail", ${undoUntil} AS "undoUntil" FROM email_change
     WHERE user_id = ${userId} AND confirmed_at IS NOT NULL AND ${isUndoable}`;
  return row;
}

/** Whether an address has an account that counts (`removeUnconfirmedUser`), or is reserved for an undo. */
export async function isAddressTaken(db: Queryable, email: string): Promise<boolean> {
  const rows = await query<{ isTaken: boolean }>(db)`
    SELECT EXISTS (SELECT FROM app_user WHERE email = ${email}
                      AND (email_confirmed_at IS NOT NULL OR NOT active OR user_type <> ${USER_TYPE.user}))
        OR EXISTS (SELECT FROM email_change WHERE old_email = ${email} AND ${isUndoable}) AS "isTaken"`;
  return onlyRow(rows).isTaken;
}

type ToConfirm = { newEmail: string; confirmHash: Buffer };

const isToConfirm = ({ newEmail, confirmHash }: ToConfirm): SQL => sql`
  confirm_hash = ${confirmHash} AND new_email = ${newEmail} AND ${isPending}`;

export async function findChangeToConfirm(db: Queryable, named: ToConfirm): Promise<EmailChange | undefined> {
  const [row] = await query<EmailChange>(db)`
    SELECT ${change} FROM email_change WHERE ${isToConfirm(named)}`;
  return row;
}

/** Like `findChangeToConfirm`, and locks the change so that nobody else can confirm, cancel or undo it. */
export async function lockChangeToConfirm(tx: Queryable, named: ToConfirm): Promise<EmailChange | undefined> {
  const [row] = await query<EmailChange>(tx)`
    SELECT ${change} FROM email_change WHERE ${isToConfirm(named)} FOR UPDATE`;
  return row;
}

export async function findChangeToUndo(
  db: Queryable,
  { id, oldEmail }: { id: string; oldEmail: string },
): Promise<EmailChange | undefined> {
  const [row] = await query<EmailChange>(db)`
    SELECT ${change} FROM email_change WHERE id = ${id} AND old_email = ${oldEmail} AND ${mayBeUndone}`;
  return row;
}

/** The account's changes from an address that may be undone, locked so that nobody else can confirm, cancel or undo them. */
export async function lockChangesToUndo(
  tx: Queryable,
  { userId, oldEmail }: { userId: string; oldEmail: string },
): Promise<EmailChange[]> {
  return query<EmailChange>(tx)`
    SELECT ${change} FROM email_change
     WHERE user_id = ${userId} AND old_email = ${oldEmail} AND ${mayBeUndone} FOR UPDATE`;
}

export async function markConfirmed(tx: Queryable, id: string): Promise<void> {
  await query(tx)`UPDATE email_change SET confirmed_at = engine_now() WHERE id = ${id}`;
}

export async function markUndone(tx: Queryable, ids: string[]): Promise<void> {
  await query(tx)`UPDATE email_change SET undone_at = engine_now() WHERE id = ANY(${listOf(ids, 'uuid')})`;
}
