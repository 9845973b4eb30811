import type { Deps } from '../../../deps.ts';
import { cancelOpenEmailChange } from '../../auth/users/email-changes.queries.ts';

/** Takes back a change that nobody has confirmed. Where there is none, nothing is left to do. */
export async function cancelEmailChange({ db }: Pick<Deps, 'db'>, userId: string): Promise<void> {
  await cancelOpenEmailChange(db.query, userId);
}
