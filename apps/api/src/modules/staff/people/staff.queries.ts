import { sql } from 'drizzle-orm';
import type { Queryable } from '../../../db/client.ts';
import { query } from '../../../db/query.ts';
import { columnsOf } from '../../../db/schema/columns.ts';
import { staff } from '../../../db/schema/staff.ts';

type StaffColumns = typeof staff.$inferSelect;
export type StaffRow = StaffColumns & { email: string };

const selectStaff = sql`
  SELECT ${columnsOf(staff)}, u.email
    FROM staff JOIN app_user u ON u.id = staff.user_id`;

export async function findStaff(db: Queryable, id: string): Promise<StaffRow | undefined> {
  const [row] = await query<StaffRow>(db)`${selectStaff} WHERE staff.id = ${id}`;
  return row;
}

export async function findStaffByEmail(db: Queryable, email: string): Promise<StaffRow | undefined> {
  const [row] = await query<StaffRow>(db)`${selectStaff} WHERE u.email = ${email}`;
  return row;
}

export async function findStaffByUser(db: Queryable, userId: string): Promise<StaffRow | undefined> {
  const [row] = await query<StaffRow>(db)`${selectStaff} WHERE u.id = ${userId}`;
  return row;
}

/** Locks a person for the rest of the transaction. */
export async function lockStaff(tx: Queryable, id: string): Promise<StaffRow | undefined> {
  const [row] = await query<StaffRow>(tx)`${selectStaff} WHERE staff.id = ${id} FOR UPDATE`;
  return row;
}

/** What is not given stays. */
export async function updateStaff(
  tx: Queryable,
  {
    id,
    role,
    state,
    shortcuts,
  }: Pick<StaffColumns, 'id'> & Partial<Pick<StaffColumns, 'role' | 'state' | 'shortcuts'>>,
): Promise<void> {
  await query(tx)`
    UPDATE staff SET role = coalesce(${role ?? null}, role), state = coalesce(${state ?? null}, state),
           shortcuts = coalesce(${shortcuts ?? null}, shortcuts)
     WHERE id = ${id}`;
}

export async function confirmStaffEmail(tx: Queryable, userId: string): Promise<void> {
  await query(tx)`
    UPDATE app_user SET email_confirmed_at = coalesce(email_confirmed_at, engine_now()) WHERE id = ${userId}`;
}

/** The addresses of headquarters' active admins. */
export async function listAdminEmails(db: Queryable): Promise<string[]> {
  const rows = await query<{ email: string }>(db)`
    SELECT u.email FROM staff s JOIN app_user u ON u.id = s.user_id WHERE s.role = 'admin' AND s.state = 'active'`;
  return rows.map(({ email }) => email);
}
