import { USER_TYPE } from '@brightpane/contract/customers/users';
import type { Queryable } from '../../../db/client.ts';
import { listOf, onlyRow, query } from '../../../db/query.ts';
import { columnsOf } from '../../../db/schema/columns.ts';
import { appUser } from '../../../db/schema/people.ts';

export type UserRow = typeof appUser.$inferSelect;

const user = columnsOf(appUser);

export async function findUserByEmail(db: Queryable, email: string): Promise<UserRow | undefined> {
  const [row] = await query<UserRow>(db, { plan: 'once' })`
    SELECT ${user} FROM app_user WHERE email = ${email}`;
  return row;
}

export async function findUserById(db: Queryable, id: string): Promise<UserRow | undefined> {
  const [row] = await query<UserRow>(db)`SELECT ${user} FROM app_user WHERE id = ${id}`;
  return row;
}

/** The state of a staff account; undefined for customers. */
export async function findStaffState(db: Queryable, userId: string): Promise<string | undefined> {
  const [row] = await query<{ state: string }>(db)`SELECT state FROM staff WHERE user_id = ${userId}`;
  return row?.state;
}

/** Locks an email's account for the rest of the transaction. Lock it before its mail tokens (docs/architecture.md, "Locks"). */
export async function lockUserByEmail(tx: Queryable, email: string): Promise<UserRow | undefined> {
  const [row] = await query<UserRow>(tx)`SELECT ${user} FROM app_user WHERE email = ${email} FOR UPDATE`;
  return row;
}

/** Locks an account for the rest of the transaction. */
export async function lockUserById(tx: Queryable, id: string): Promise<UserRow | undefined> {
  const [row] = await query<UserRow>(tx)`SELECT ${user} FROM app_user WHERE id = ${id} FOR UPDATE`;
  return row;
}

/**
 * Creates an email's account, or overwrites an unconfirmed one except for whether it is active. Returns
 * nothing if the email is taken. Never overwrites invited staff.
 */
export async function putUser(
  db: Queryable,
  row: Pick<UserRow, 'email' | 'firstName' | 'lastName' | 'passwordHash' | 'userType' | 'createdAt'> & {
    emailConfirmedAt: Date | null;
  },
): Promise<UserRow | undefined> {
  const [put] = await query<UserRow>(db)`
    INSERT INTO app_user (email, first_name, last_name, password_hash, user_type, created_at, email_confirmed_at)
    VALUES (${row.email}, ${row.firstName}, ${row.lastName}, ${row.passwordHash}, ${row.userType}, ${row.createdAt},
            ${row.emailConfirmedAt})
    ON CONFLICT (email) DO UPDATE SET
      first_name = excluded.first_name, last_name = excluded.last_name, password_hash = excluded.password_hash,
      user_type = excluded.user_type, created_at = excluded.created_at,
      email_confirmed_at = excluded.email_confirmed_at
     WHERE app_user.email_confirmed_at IS NULL AND app_user.user_type = ${USER_TYPE.user}
    RETURNING ${user}`;
  return put;
}

/** For customers only: a link may have been mailed just before the address became staff's. */
export async function confirmUserEmail(
  db: Queryable,
  { email, now }: { email: string; now: Date },
): Promise<UserRow | undefined> {
  const [row] = await query<UserRow>(db)`
    UPDATE app_user SET email_confirmed_at = coalesce(email_confirmed_at, ${now}::timestamptz)
     WHERE email = ${email} AND user_type = ${USER_TYPE.user} RETURNING ${user}`;
  return row;
}

/**
 * Sets a new password for a customer who reads the email, which confirms it too. Clears the names of an unconfirmed
 * account: whoever registered it may not be the owner.
 */
export async function resetCredentials(
  tx: Queryable,
  { email, passwordHash, now }: { email: string; passwordHash: string; now: Date },
): Promise<{ id: string } | undefined> {
  const [row] = await query<{ id: string }>(tx)`
    UPDATE app_user SET password_hash = ${passwordHash},
           first_name = CASE WHEN email_confirmed_at IS NULL THEN '' ELSE first_name END,
           last_name = CASE WHEN email_confirmed_at IS NULL THEN '' ELSE last_name END,
           email_confirmed_at = coalesce(email_confirmed_at, ${now}::timestamptz)
     WHERE email = ${email} AND user_type = ${USER_TYPE.user} RETURNING id`;
  return row;
}

/** Replaces a hash by another of the same password. False if the password changed meanwhile. */
export async function swapPasswordHash(
  db: Queryable,
  { userId, from, to }: { userId: string; from: string; to: string },
): Promise<boolean> {
  const swapped = await query(db)`
    UPDATE app_user SET password_hash = ${to} WHERE id = ${userId} AND password_hash = ${from} RETURNING id`;
  return swapped.length > 0;
}

/** False if the account is closed, which keeps no names. */
export async function setNames(
  db: Queryable,
  { userId, firstName, lastName }: { userId: string; firstName: string; lastName: string },
): Promise<boolean> {
  const named = await query(db)`
    UPDATE app_user SET first_name = ${firstName}, last_name = ${lastName}
     WHERE id = ${userId} AND closed_at IS NULL RETURNING id`;
  return named.length > 0;
}

/** Moves an account to another address; the unique index decides races. */
export async function setEmail(
  tx: Queryable,
  { userId, email }: { userId: string; email: string },
): Promise<void> {
  await query(tx)`UPDATE app_user SET email = ${email} WHERE id = ${userId}`;
}

export async function setPasswordHash(
  tx: Queryable,
  { userId, passwordHash }: { userId: string; passwordHash: string },
): Promise<void> {
  await query(tx)`UPDATE app_user SET password_hash = ${passwordHash} WHERE id = ${userId}`;
}

/** Returns how many were removed. */
export async function removeUnconfirmedUsersMadeBefore(db: Queryable, date: Date): Promise<number> {
  let all = 0;
  for (;;) {
    // As many at a time as the function sees fit.
    const rows = await query<{ removed: number }>(db)`
      SELECT remove_unconfirmed_users(${date}::timestamptz) AS removed`;
    const { removed } = onlyRow(rows);
    if (removed === 0) return all;
    all += removed;
  }
}

/**
 * Frees an address that somebody registered and never confirmed, for a person who owns it. Leaves staff and what the
 * office switched off.
 */
export async function removeUnconfirmedUser(tx: Queryable, email: string): Promise<void> {
  await query(tx)`SELECT remove_unconfirmed_user(${email})`;
}

/** For customers only; staff have their own switch. */
export async function setActive(
  db: Queryable,
  { email, active }: { email: string; active: boolean },
): Promise<{ id: string } | undefined> {
  const [row] = await query<{ id: string }>(db)`
    UPDATE app_user SET active = ${active} WHERE email = ${email} AND user_type = ${USER_TYPE.user} RETURNING id`;
  return row;
}

export async function isKnownAddress(
  db: Queryable,
  { email, addresses, since }: { email: string; addresses: string[]; since: Date },
): Promise<boolean> {
  const rows = await query(db, { plan: 'once' })`
    SELECT FROM known_address k JOIN app_user u ON u.id = k.user_id
     WHERE u.email = ${email} AND k.address = ANY(${listOf(addresses, 'text')}) AND k.seen_at > ${since}`;
  return rows.length > 0;
}

/** Forgets where the account was signed in to. */
export async function forgetAddresses(tx: Queryable, userId: string): Promise<void> {
  await query(tx)`DELETE FROM known_address WHERE user_id = ${userId}`;
}

export async function rememberAddress(
  db: Queryable,
  { userId, address, seenAt }: { userId: string; address: string; seenAt: Date },
): Promise<void> {
  await query(db)`
    INSERT INTO known_address (user_id, address, seen_at) VALUES (${userId}, ${address}, ${seenAt})
    ON CONFLICT (user_id, address) DO UPDATE SET seen_at = excluded.seen_at`;
}
