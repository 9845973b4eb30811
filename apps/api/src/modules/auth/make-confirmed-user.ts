import { USER_TYPE } from '@brightpane/contract/users';
import type { Queryable } from '../../db/client.ts';
import type { Deps } from '../../deps.ts';
import { insertUser, type UserRow } from './users.queries.ts';

/** An account whose email has been shown to be its owner's, in the caller's transaction; nothing where it is taken. */
export function makeConfirmedUser(
  deps: Pick<Deps, 'clock'>,
  tx: Queryable,
  details: { email: string; firstName: string; lastName: string; passwordHash: string },
): Promise<UserRow | undefined> {
  return insertUser(tx, { ...details, userType: USER_TYPE.user, emailConfirmedAt: deps.clock() });
}
