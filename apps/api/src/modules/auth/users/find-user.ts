import type { User } from '@brightpane/contract/customers/users';
import type { Deps } from '../../../deps.ts';
import { findUserById } from './users.queries.ts';

export async function findUser(deps: Deps, { userId }: { userId: string }): Promise<User> {
  const user = await findUserById(deps.db.query, userId);
  if (!user) throw new Error('a bearer token speaks for a user that does not exist');
  return { id: user.id, email: user.email, firstName: user.firstName, lastName: user.lastName };
}
