import { noteUnreadable } from '../../crypto/unreadable-secrets.ts';
import type { Queryable } from '../../db/client.ts';
import type { Deps } from '../../deps.ts';
import { findAccounts } from './merchant-accounts.queries.ts';
import { openKeys } from './sealed-keys.ts';

/** Accounts whose keys this process has read. Keys of a row never change, so it need not look again. */
const readable = new WeakMap<Deps['secretBox'], Set<number>>();

/** The first of these accounts whose keys cannot be read, so that nothing can be charged on it. */
export async function findClosedAccount(
  deps: Pick<Deps, 'db' | 'secretBox' | 'log'>,
  tx: Queryable,
  accountIds: readonly number[],
): Promise<number | undefined> {
  const known = readable.get(deps.secretBox) ?? new Set();
  readable.set(deps.secretBox, known);
  const unknown = accountIds.filter((id) => !known.has(id));
  if (unknown.length === 0) return undefined;
  for (const account of await findAccounts(tx, unknown)) {
    if (openKeys(deps.secretBox, account)) known.add(account.id);
    else {
      // Outside of the transaction, which is taken back.
      await noteUnreadable(deps, deps.db.query, { table: 'merchant_account', id: String(account.id) });
      return account.id;
    }
  }
  return undefined;
}
