import type { UpdateAccount } from '@brightpane/contract/customers/account';
import type { Deps } from '../../deps.ts';
import { fail, ok } from '../../http/result.ts';
import { setNames } from '../auth/users/users.queries.ts';

/** Sets the account's names. */
export async function updateDetails({ db }: Pick<Deps, 'db'>, details: UpdateAccount & { userId: string }) {
  return (await setNames(db.query, details)) ? ok(undefined) : fail('ended');
}
