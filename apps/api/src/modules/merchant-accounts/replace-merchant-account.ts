import type { Queryable } from '../../db/client.ts';
import type { Deps } from '../../deps.ts';
import {
  findCurrentAccount,
  insertAccount,
  lockMerchantAccounts,
  markReplaced,
  nextAccountId,
} from './merchant-accounts.queries.ts';
import { openKeys, sealKeys } from './sealed-keys.ts';

export type GatewayKeys = { apiKey: string; pin: string; publicKey: string };

/**
 * Makes these the keys that an owner's next charges are made with, in the caller's transaction; `null` keys put a
 * franchise back on the portal's account. The old row stays: what was charged on it ends on it. Keys that are in use
 * already change nothing.
 */
export async function replaceMerchantAccount(
  deps: Pick<Deps, 'secretBox'>,
  { tx, franchiseId, keys }: { tx: Queryable; franchiseId: number | null; keys: GatewayKeys | null },
): Promise<void> {
  await lockMerchantAccounts(tx);
  const current = await findCurrentAccount(tx, franchiseId);
  if (current && keys && isSame(deps, current, keys)) return;
  if (current) await markReplaced(tx, current.id);
  if (keys) {
    const id = await nextAccountId(tx);
    const { publicKey } = keys;
    await insertAccount(tx, { id, franchiseId, publicKey, ...sealKeys(deps.secretBox, id, keys) });
  }
}

/** Keys that cannot be read are nobody's, so the same ones sent again mend the account. */
function isSame(
  { secretBox }: Pick<Deps, 'secretBox'>,
  current: GatewayKeys & { id: number },
  keys: GatewayKeys,
): boolean {
  const opened = openKeys(secretBox, current);
  return current.publicKey === keys.publicKey && opened?.apiKey === keys.apiKey && opened.pin === keys.pin;
}
