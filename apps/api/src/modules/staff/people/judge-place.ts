import { createHash } from 'node:crypto';
import { isHqRole, type Role } from '@brightpane/contract/office-rights';
import type { Queryable } from '../../../db/client.ts';
import type { OfficeCaller } from '../../../http/office-caller.ts';
import { type Failure, fail, ok, type Success } from '../../../http/result.ts';
import { findVisibleFranchises } from './visible.queries.ts';

export type Place = { role: Role; franchiseIds: number[] };

type Judged =
  | Success<Place>
  | Failure<'not-allowed' | 'franchise-needed' | 'no-franchise-wanted' | 'franchise-unknown'>;

/** Whether a caller may assign this place: an owner may give only office roles, and only at their own franchises. */
export async function judgePlace(
  db: Queryable,
  { caller, role, franchiseIds }: { caller: OfficeCaller } & Place,
): Promise<Judged> {
  if (isHqRole(role) && !caller.isForAll) return fail('not-allowed');
  if (isHqRole(role))
    return franchiseIds.length > 0 ? fail('no-franchise-wanted') : ok({ role, franchiseIds });
  const wanted = [...new Set(franchiseIds)];
  if (wanted.length === 0) return fail('franchise-needed');
  const visible = await findVisibleFranchises(db, { actorId: caller.id, among: wanted });
  return visible.length === wanted.length ? ok({ role, franchiseIds: wanted }) : fail('franchise-unknown');
}

/** Whether a caller sees a person and may change them: an owner, only those whose franchises are all the owner's. */
export async function standingOf(
  db: Queryable,
  { caller, role, franchiseIds }: { caller: OfficeCaller } & Place,
): Promise<'hidden' | 'seen' | 'changeable'> {
  if (caller.isForAll) return 'changeable';
  if (isHqRole(role)) return 'hidden';
  const visible = await findVisibleFranchises(db, { actorId: caller.id, among: franchiseIds });
  if (visible.length === 0) return 'hidden';
  return visible.length === franchiseIds.length ? 'changeable' : 'seen';
}

/** A number that changes with a person's role or franchises. They come in the same order everywhere. */
export function placeVersion({ role, franchiseIds }: Place): number {
  const hash = createHash('sha256')
    .update([role, ...franchiseIds].join(' '))
    .digest();
  return hash.readUInt32BE() >>> 4;
}
