import { and, eq, type SQL, sql } from 'drizzle-orm';
import type { Queryable } from '../../../db/client.ts';
import { appUser } from '../../../db/schema/people.ts';
import { staff } from '../../../db/schema/staff.ts';

export type StaffRow = typeof staff.$inferSelect & { email: string; passwordHash: string };

function find(db: Queryable, which: SQL | undefined) {
  return db
    .select({ staff, email: appUser.email, passwordHash: appUser.passwordHash })
    .from(staff)
    .innerJoin(appUser, eq(appUser.id, staff.userId))
    .where(which);
}

const flat = (row: { staff: typeof staff.$inferSelect; email: string; passwordHash: string } | undefined) =>
  row && { ...row.staff, email: row.email, passwordHash: row.passwordHash };

export async function findStaff(db: Queryable, id: string): Promise<StaffRow | undefined> {
  const [row] = await find(db, eq(staff.id, id));
  return flat(row);
}

export async function findStaffByEmail(db: Queryable, email: string): Promise<StaffRow | undefined> {
  const [row] = await find(db, eq(appUser.email, email));
  return flat(row);
}

export async function findStaffByUser(db: Queryable, userId: string): Promise<StaffRow | undefined> {
  const [row] = await find(db, eq(staff.userId, userId));
  return flat(row);
}

/** Locks a person for the rest of the transaction. */
export async function lockStaff(tx: Queryable, id: string): Promise<StaffRow | undefined> {
  const [row] = await find(tx, eq(staff.id, id)).for('update');
  return flat(row);
}

export async function updateStaff(
  tx: Queryable,
  { id, ...columns }: { id: string } & Partial<typeof staff.$inferInsert>,
): Promise<void> {
  await tx.update(staff).set(columns).where(eq(staff.id, id));
}

export async function setStaffPassword(
  tx: Queryable,
  { userId, passwordHash }: { userId: string; passwordHash: string },
): Promise<void> {
  await tx.update(appUser).set({ passwordHash }).where(eq(appUser.id, userId));
}

/** Sets the names that a person gives when enrolling. */
export async function setStaffNames(
  tx: Queryable,
  { userId, ...names }: { userId: string; firstName: string; lastName: string },
): Promise<void> {
  await tx.update(appUser).set(names).where(eq(appUser.id, userId));
}

export async function confirmStaffEmail(tx: Queryable, userId: string): Promise<void> {
  await tx
    .update(appUser)
    .set({ emailConfirmedAt: sql`coalesce(${appUser.emailConfirmedAt}, engine_now())` })
    .where(eq(appUser.id, userId));
}

/** The addresses of headquarters' active admins. */
export async function listAdminEmails(db: Queryable): Promise<string[]> {
  const rows = await find(db, and(eq(staff.role, 'admin'), eq(staff.state, 'active')));
  return rows.map(({ email }) => email);
}
