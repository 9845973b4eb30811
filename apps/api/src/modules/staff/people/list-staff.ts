import type { StaffList } from '@brightpane/contract/office/staff';
import type { Deps } from '../../../deps.ts';
import type { OfficeCaller } from '../../../http/office-caller.ts';
import { placeVersion } from './judge-place.ts';
import { listVisibleStaff } from './visible.queries.ts';

/** The people whom the caller may see. */
export async function listStaff(
  { db }: Pick<Deps, 'db'>,
  { id: actorId, isForAll }: OfficeCaller,
): Promise<StaffList['items']> {
  const people = await listVisibleStaff(db.query, { actorId, isForAll });
  return people.map(({ lastSignInAt, ...person }) => ({
    ...person,
    version: placeVersion(person),
    lastSignInAt: lastSignInAt === null ? null : new Date(lastSignInAt).toISOString(),
  }));
}
