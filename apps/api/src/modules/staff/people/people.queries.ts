import { randomBytes } from 'node:crypto';
import { USER_TYPE } from '@brightpane/contract/customers/users';
import { isHqRole, type Role } from '@brightpane/contract/office-rights';
import { eq, sql } from 'drizzle-orm';
import type { Queryable } from '../../../db/client.ts';
import { appUser } from '../../../db/schema/people.ts';
import { staff, staffFranchise } from '../../../db/schema/staff.ts';
import { NOBODYS_HASH } from '../../auth/passwords/password-hash.ts';

export const userTypeOf = (role: Role) => (isHqRole(role) ? USER_TYPE.admin : USER_TYPE.franchise);

/** Creates a staff member whose account no password opens yet. Null if the email is taken. */
export async function insertStaff(
  tx: Queryable,
  person: {
    email: string;
    firstName: string;
    lastName: string;
    role: Role;
    franchiseIds: readonly number[];
    state: 'invited' | 'active';
    isConfirmed: boolean;
    invitedBy: string | null;
  },
): Promise<string | null> {
  const { email, firstName, lastName, role, state } = person;
  const [user] = await tx
    .insert(appUser)
    .values({
      email,
      firstName,
      lastName,
      passwordHash: NOBODYS_HASH,
      userType: userTypeOf(role),
      emailConfirmedAt: person.isConfirmed ? sql`engine_now()` : null,
    })
    .onConflictDoNothing()
    .returning({ id: appUser.id });
  if (!user) return null;
  const [made] = await tx
    .insert(staff)
    .values({ userId: user.id, role, state, webauthnId: randomBytes(32), invitedBy: person.invitedBy })
    .returning({ id: staff.id });
  if (!made) throw new Error('the staff row was not written');
  await setFranchises(tx, { staffId: made.id, franchiseIds: person.franchiseIds });
  return made.id;
}

/** Sets a person's franchises to exactly these. */
export async function setFranchises(
  tx: Queryable,
  { staffId, franchiseIds }: { staffId: string; franchiseIds: readonly number[] },
): Promise<void> {
  await tx.delete(staffFranchise).where(eq(staffFranchise.staffId, staffId));
  if (franchiseIds.length === 0) return;
  await tx.insert(staffFranchise).values(franchiseIds.map((franchiseId) => ({ staffId, franchiseId })));
}

/** Sets the account's kind to that of the role. */
export async function setUserType(
  tx: Queryable,
  { userId, role }: { userId: string; role: Role },
): Promise<void> {
  await tx
    .update(appUser)
    .set({ userType: userTypeOf(role) })
    .where(eq(appUser.id, userId));
}
