import type { Deps } from '../../deps.ts';
import { emailKey } from './email-key.ts';
import { findUserByEmail } from './users.queries.ts';

export async function hasAccount(deps: Pick<Deps, 'db'>, { email }: { email: string }): Promise<boolean> {
  return (await findUserByEmail(deps.db.query, emailKey(email))) !== undefined;
}
