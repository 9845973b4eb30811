import { randomBytes } from 'node:crypto';
import { USER_TYPE } from '@brightpane/contract/customers/users';
import { isHqRole, type Role } from '@brightpane/contract/office-rights';
import type { Queryable } from '../../../db/client.ts';
import { listOf, query } from '../../../db/query.ts';
import { NOBODYS_HASH } from '../../auth/passwords/password-hash.ts';
import { removeUnconfirmedUser } from '../../auth/users/users.queries.ts';

const userTypeOf = (role: Role) => (isHqRole(role) ? USER_TYPE.admin : USER_TYPE.franchise);

/**
 * Creates a staff member whose account no password opens yet, in place of an unconfirmed registration. Null if the email
 * is taken.
 */
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
  await removeUnconfirmedUser(tx, email);
  const [user] = await query<{ id: string }>(tx)`
    INSERT INTO app_user (email, first_name, last_name, password_hash, user_type, email_confirmed_at)
    VALUES (${email}, ${firstName}, ${lastName}, ${NOBODYS_HASH}, ${userTypeOf(role)},
            CASE WHEN ${person.isConfirmed} THEN engine_now() END)
    ON CONFLICT DO NOTHING RETURNING id`;
  if (!user) return null;
  const [made] = await query<{ id: string }>(tx)`
    INSERT INTO staff (user_id, role, state, webauthn_id, invited_by)
    VALUES (${user.id}, ${role}, ${state}, ${randomBytes(32)}, ${person.invitedBy}) RETURNING id`;
  if (!made) throw new Error('the staff row was not written');
  await setFranchises(tx, { staffId: made.id, franchiseIds: person.franchiseIds });
  return made.id;
}

/** Sets a person's franchises to exactly these. */
export async function setFranchises(
  tx: Queryable,
  { staffId, franchiseIds }: { staffId: string; franchiseIds: readonly number[] },
): Promise<void> {
  await query(tx)`DELETE FROM staff_franchise WHERE staff_id = ${staffId}`;
  if (franchiseIds.length === 0) return;
  await query(tx)`
    INSERT INTO staff_franchise (staff_id, franchise_id)
    SELECT ${staffId}::uuid, id FROM unnest(${listOf(franchiseIds, 'integer')}) AS given (id)`;
}

/** Sets the account's kind to that of the role. */
export async function setUserType(
  tx: Queryable,
  { userId, role }: { userId: string; role: Role },
): Promise<void> {
  await query(tx)`UPDATE app_user SET user_type = ${userTypeOf(role)} WHERE id = ${userId}`;
}
