import { and, eq, gt, sql } from 'drizzle-orm';
import { type Queryable, statement } from '../../db/client.ts';
import { appUser, knownAddress } from '../../db/schema/people.ts';

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

/** Returns nothing where the email is taken. */
export async function insertUser(
  db: Queryable,
  row: typeof appUser.$inferInsert,
): Promise<UserRow | undefined> {
  const [user] = await db
    .insert(appUser)
    .values(row)
    .onConflictDoNothing({ target: appUser.email })
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

export async function setPasswordHash(
  db: Queryable,
  { userId, passwordHash }: { userId: string; passwordHash: string },
): Promise<void> {
  await db.update(appUser).set({ passwordHash }).where(eq(appUser.id, userId));
}

export async function setActive(
  db: Queryable,
  { email, active }: { email: string; active: boolean },
): Promise<{ id: string } | undefined> {
  const [user] = await db
    .update(appUser)
    .set({ active })
    .where(eq(appUser.email, email))
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
