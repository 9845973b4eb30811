import type { Queryable } from '../../db/client.ts';
import type { Deps } from '../../deps.ts';
import {
  findCurrentAccount,
  insertAccount,
  lockMerchantAccounts,
  markReplaced,
} from './merchant-accounts.queries.ts';

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
    await insertAccount(tx, {
      franchiseId,
      apiKey: deps.secretBox.seal(keys.apiKey),
      pin: deps.secretBox.seal(keys.pin),
      publicKey: keys.publicKey,
    });
  }
}

function isSame({ secretBox }: Pick<Deps, 'secretBox'>, current: GatewayKeys, keys: GatewayKeys): boolean {
  return (
    current.publicKey === keys.publicKey &&
    secretBox.open(current.apiKey) === keys.apiKey &&
    secretBox.open(current.pin) === keys.pin
  );
}
