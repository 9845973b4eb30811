import type { Deps } from '../../../deps.ts';
import { cancelOpenEmailChange } from '../../auth/users/open-email-changes.queries.ts';

/** Cancels the unconfirmed change, if there is one. */
export async function cancelEmailChange({ db }: Pick<Deps, 'db'>, userId: string): Promise<void> {
  await cancelOpenEmailChange(db.query, userId);
}
