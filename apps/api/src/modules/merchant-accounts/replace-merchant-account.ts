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
 * Sets the keys for an owner's next charges, in the caller's transaction; `null` returns a franchise to the portal's
 * account. The old row stays, as its charges end on it. Keys that are in use already change nothing.
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

/** Unreadable keys never match, so sending the same ones again repairs the account. */
function isSame(
  { secretBox }: Pick<Deps, 'secretBox'>,
  current: GatewayKeys & { id: number },
  keys: GatewayKeys,
): boolean {
  const opened = openKeys(secretBox, current);
  return current.publicKey === keys.publicKey && opened?.apiKey === keys.apiKey && opened.pin === keys.pin;
}
