import type { Deps } from '../../deps.ts';
import { emailKey } from './email-key.ts';
import { findUserByEmail } from './users.queries.ts';

/** Whether an email's owner has an account. A registration that nobody has confirmed may be anybody's. */
export async function hasAccount(deps: Pick<Deps, 'db'>, { email }: { email: string }): Promise<boolean> {
  const user = await findUserByEmail(deps.db.query, emailKey(email));
  return user?.emailConfirmedAt != null;
}
