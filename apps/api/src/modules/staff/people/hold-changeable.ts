import type { Queryable } from '../../../db/client.ts';
import type { OfficeCaller } from '../../../http/office-caller.ts';
import { fail, ok } from '../../../http/result.ts';
import { standingOf } from './judge-place.ts';
import { lockStaff } from './staff.queries.ts';
import { findFranchisesOf } from './visible.queries.ts';

/** Locks a person whom the caller may change, for the rest of the transaction. */
export async function holdChangeable(
  tx: Queryable,
  { caller, staffId }: { caller: OfficeCaller; staffId: string },
) {
  const person = await lockStaff(tx, staffId);
  if (!person) return fail('not-found');
  const franchiseIds = await findFranchisesOf(tx, staffId);
  const standing = await standingOf(tx, { caller, role: person.role, franchiseIds });
  if (standing === 'hidden') return fail('not-found');
  return standing === 'seen' ? fail('not-allowed') : ok({ person, franchiseIds });
}
