import { and, eq, gt, isNotNull, type SQL, sql } from 'drizzle-orm';
import type { Queryable } from '../../../db/client.ts';
import { emailChange } from '../../../db/schema/people.ts';
import { isOpen } from '../../auth/users/email-changes.queries.ts';
import { isUndoable, undoUntil } from '../../auth/users/held-addresses.queries.ts';

export type EmailChange = typeof emailChange.$inferSelect;

const CONFIRM_HOURS = 24;
/** Lifetime of the undo link while unconfirmed: as if the change had been confirmed at the last moment. */
const UNCONFIRMED_UNDO_DAYS = 8;

const since = (interval: SQL) => sql`(SELECT engine_now()) - ${interval}`;

/** Unconfirmed, and still confirmable. */
const isPending = () =>
  and(isOpen(), gt(emailChange.askedAt, since(sql`make_interval(hours => ${CONFIRM_HOURS})`)));

const mayBeUndone = () =>
  sql`(${isUndoable} OR (${isOpen()} AND ${emailChange.askedAt} > ${since(sql`make_interval(days => ${UNCONFIRMED_UNDO_DAYS})`)}))`;

export async function insertEmailChange(
  tx: Queryable,
  row: Pick<EmailChange, 'id' | 'userId' | 'oldEmail' | 'newEmail' | 'confirmHash'>,
): Promise<void> {
  await tx.insert(emailChange).values({ ...row, askedAt: sql`engine_now()` });
}

export async function findPendingEmail(db: Queryable, userId: string): Promise<string | undefined> {
  const [row] = await db
    .select({ newEmail: emailChange.newEmail })
    .from(emailChange)
    .where(and(eq(emailChange.userId, userId), isPending()));
  return row?.newEmail;
}

/** The account's undoable change. It has at most one. */
export async function findUndoableChange(
  db: Queryable,
  userId: string,
): Promise<{ oldEmail: string; undoUntil: Date } | undefined> {
  const [row] = await db
    .select({ oldEmail: emailChange.oldEmail, undoUntil: sql<string>`to_json(${undoUntil}) #>> '{}'` })
    .from(emailChange)
    .where(and(eq(emailChange.userId, userId), isNotNull(emailChange.confirmedAt), isUndoable));
  return row && { oldEmail: row.oldEmail, undoUntil: new Date(row.undoUntil) };
}

/** Whether an address has an account or is reserved for an undo. */
export async function isAddressTaken(db: Queryable, email: string): Promise<boolean> {
  const { rows } = await db.execute<{ isTaken: boolean }>(sql`
    SELECT EXISTS (SELECT FROM app_user WHERE email = ${email})
        OR EXISTS (SELECT FROM ${emailChange} WHERE ${emailChange.oldEmail} = ${email} AND ${isUndoable}) AS "isTaken"`);
  return rows[0]?.isTaken ?? false;
}

type ToConfirm = { newEmail: string; confirmHash: Buffer };

const isToConfirm = ({ newEmail, confirmHash }: ToConfirm) =>
  and(eq(emailChange.confirmHash, confirmHash), eq(emailChange.newEmail, newEmail), isPending());

export async function findChangeToConfirm(db: Queryable, named: ToConfirm): Promise<EmailChange | undefined> {
  const [row] = await db.select().from(emailChange).where(isToConfirm(named));
  return row;
}

/** Like `findChangeToConfirm`, and locks the change so that nobody else can confirm, cancel or undo it. */
export async function lockChangeToConfirm(tx: Queryable, named: ToConfirm): Promise<EmailChange | undefined> {
  const [row] = await tx.select().from(emailChange).where(isToConfirm(named)).for('update');
  return row;
}

type ToUndo = { id: string; oldEmail: string };

const isToUndo = ({ id, oldEmail }: ToUndo) =>
  and(eq(emailChange.id, id), eq(emailChange.oldEmail, oldEmail), mayBeUndone());

export async function findChangeToUndo(db: Queryable, named: ToUndo): Promise<EmailChange | undefined> {
  const [row] = await db.select().from(emailChange).where(isToUndo(named));
  return row;
}

/** Like `findChangeToUndo`, and locks the change so that nobody else can confirm, cancel or undo it. */
export async function lockChangeToUndo(tx: Queryable, named: ToUndo): Promise<EmailChange | undefined> {
  const [row] = await tx.select().from(emailChange).where(isToUndo(named)).for('update');
  return row;
}

export async function markConfirmed(tx: Queryable, id: string): Promise<void> {
  await tx.update(emailChange).set({ confirmedAt: sql`engine_now()` }).where(eq(emailChange.id, id));
}

export async function markUndone(tx: Queryable, id: string): Promise<void> {
  await tx.update(emailChange).set({ undoneAt: sql`engine_now()` }).where(eq(emailChange.id, id));
}
