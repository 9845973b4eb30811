import { USER_TYPE } from '@brightpane/contract/customers/users';
import { and, eq, gt, sql } from 'drizzle-orm';
import { type Queryable, statement } from '../../../db/client.ts';
import { appUser, knownAddress } from '../../../db/schema/people.ts';
import { staff } from '../../../db/schema/staff.ts';

export type UserRow = typeof appUser.$inferSelect;

const userByEmail = statement((db) =>
  db
    .select()
    .from(appUser)
    .where(eq(appUser.email, sql.placeholder('email')))
    .prepare('find_user_by_email'),
);

export async function findUserByEmail(db: Queryable, email: string): Promise<UserRow | undefined> {
  const [row] = await userByEmail(db).execute({ email });
  return row;
}

export async function findUserById(db: Queryable, id: string): Promise<UserRow | undefined> {
  const [row] = await db.select().from(appUser).where(eq(appUser.id, id));
  return row;
}

/** The state of a staff account; undefined for customers. */
export async function findStaffState(db: Queryable, userId: string): Promise<string | undefined> {
  const [row] = await db.select({ state: staff.state }).from(staff).where(eq(staff.userId, userId));
  return row?.state;
}

/** Locks an email's account for the rest of the transaction. */
export async function lockUserByEmail(tx: Queryable, email: string): Promise<UserRow | undefined> {
  const [row] = await tx.select().from(appUser).where(eq(appUser.email, email)).for('update');
  return row;
}

/** Locks an account for the rest of the transaction. */
export async function lockUserById(tx: Queryable, id: string): Promise<UserRow | undefined> {
  const [row] = await tx.select().from(appUser).where(eq(appUser.id, id)).for('update');
  return row;
}

/**
 * Creates an email's account, or overwrites an unconfirmed one except for whether it is active. Returns
 * nothing if the email is taken.
 */
export async function putUser(
  db: Queryable,
  row: Pick<UserRow, 'email' | 'firstName' | 'lastName' | 'passwordHash' | 'userType' | 'createdAt'> & {
    emailConfirmedAt: Date | null;
  },
): Promise<UserRow | undefined> {
  const { email: _taken, ...replaced } = row;
  const [user] = await db
    .insert(appUser)
    .values(row)
    .onConflictDoUpdate({
      target: appUser.email,
      set: replaced,
      // Never overwrite invited staff.
      setWhere: sql`${appUser.emailConfirmedAt} IS NULL AND ${appUser.userType} = ${USER_TYPE.user}`,
    })
    .returning();
  return user;
}

export async function confirmUserEmail(
  db: Queryable,
  { email, now }: { email: string; now: Date },
): Promise<UserRow | undefined> {
  const [user] = await db
    .update(appUser)
    .set({ emailConfirmedAt: sql`coalesce(${appUser.emailConfirmedAt}, ${now.toISOString()}::timestamptz)` })
    .where(eq(appUser.email, email))
    .returning();
  return user;
}

/**
 * Sets a new password for somebody who reads the email, which confirms it too. Clears the names of an unconfirmed
 * account: whoever registered it may not be the owner.
 */
export async function resetCredentials(
  tx: Queryable,
  { email, passwordHash, now }: { email: string; passwordHash: string; now: Date },
): Promise<{ id: string } | undefined> {
  const ofOwner = (name: typeof appUser.firstName | typeof appUser.lastName) =>
    sql`CASE WHEN ${appUser.emailConfirmedAt} IS NULL THEN '' ELSE ${name} END`;
  const [user] = await tx
    .update(appUser)
    .set({
      passwordHash,
      firstName: ofOwner(appUser.firstName),
      lastName: ofOwner(appUser.lastName),
      emailConfirmedAt: sql`coalesce(${appUser.emailConfirmedAt}, ${now.toISOString()}::timestamptz)`,
    })
    .where(eq(appUser.email, email))
    .returning({ id: appUser.id });
  return user;
}

/** Replaces a hash by another of the same password. False if the password changed meanwhile. */
export async function swapPasswordHash(
  db: Queryable,
  { userId, from, to }: { userId: string; from: string; to: string },
): Promise<boolean> {
  const swapped = await db
    .update(appUser)
    .set({ passwordHash: to })
    .where(and(eq(appUser.id, userId), eq(appUser.passwordHash, from)))
    .returning({ id: appUser.id });
  return swapped.length > 0;
}

export async function setNames(
  db: Queryable,
  { userId, firstName, lastName }: { userId: string; firstName: string; lastName: string },
): Promise<void> {
  await db.update(appUser).set({ firstName, lastName }).where(eq(appUser.id, userId));
}

/** Moves an account to another address; the unique index decides races. */
export async function setEmail(
  tx: Queryable,
  { userId, email }: { userId: string; email: string },
): Promise<void> {
  await tx.update(appUser).set({ email }).where(eq(appUser.id, userId));
}

export async function setPasswordHash(
  tx: Queryable,
  { userId, passwordHash }: { userId: string; passwordHash: string },
): Promise<void> {
  await tx.update(appUser).set({ passwordHash }).where(eq(appUser.id, userId));
}

/** Returns how many were removed. */
export async function removeUnconfirmedUsersMadeBefore(db: Queryable, date: Date): Promise<number> {
  const { rows } = await db.execute<{ removed: number }>(
    sql`SELECT remove_unconfirmed_users(${date.toISOString()}::timestamptz) AS removed`,
  );
  return rows[0]?.removed ?? 0;
}

/** For customers only; staff have their own switch. */
export async function setActive(
  db: Queryable,
  { email, active }: { email: string; active: boolean },
): Promise<{ id: string } | undefined> {
  const [user] = await db
    .update(appUser)
    .set({ active })
    .where(and(eq(appUser.email, email), eq(appUser.userType, USER_TYPE.user)))
    .returning({ id: appUser.id });
  return user;
}

const knownAddresses = statement((db) =>
  db
    .select({ seenAt: knownAddress.seenAt })
    .from(knownAddress)
    .innerJoin(appUser, eq(appUser.id, knownAddress.userId))
    .where(
      and(
        eq(appUser.email, sql.placeholder('email')),
        sql`${knownAddress.address} = ANY(${sql.placeholder('addresses')})`,
        gt(knownAddress.seenAt, sql.placeholder('since')),
      ),
    )
    .prepare('find_known_addresses'),
);

export async function isKnownAddress(
  db: Queryable,
  asked: { email: string; addresses: string[]; since: Date },
): Promise<boolean> {
  const rows = await knownAddresses(db).execute(asked);
  return rows.length > 0;
}

export async function rememberAddress(
  db: Queryable,
  row: { userId: string; address: string; seenAt: Date },
): Promise<void> {
  await db
    .insert(knownAddress)
    .values(row)
    .onConflictDoUpdate({
      target: [knownAddress.userId, knownAddress.address],
      set: { seenAt: row.seenAt },
    });
}
