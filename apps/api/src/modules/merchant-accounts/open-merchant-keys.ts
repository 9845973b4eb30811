import { noteUnreadable } from '../../crypto/unreadable-secrets.ts';
import type { Deps } from '../../deps.ts';
import type { MerchantKeys } from '../../gateway/payment-gateway.ts';
import { findAccountAndNewer } from './merchant-accounts.queries.ts';
import { openKeys, type SealedAccount } from './sealed-keys.ts';

type OpenDeps = Pick<Deps, 'db' | 'secretBox' | 'log'>;

/**
 * An account's decrypted keys, followed by those of the same owner's newer accounts: if the provider refuses the
 * old keys, newer ones may reach the same merchant account. Unreadable keys count as refused: their work is
 * retried, and newer keys may serve.
 */
export async function openMerchantKeys(
  deps: OpenDeps,
  { accountId }: { accountId: number },
): Promise<[MerchantKeys, ...MerchantKeys[]]> {
  const [own, ...newer] = await findAccountAndNewer(deps.db.query, accountId);
  if (own?.id !== accountId) throw new Error(`merchant account ${accountId} is not there`);
  const newerKeys = newer.flatMap((row) => {
    const keys = openKeys(deps.secretBox, row);
    return keys ? [{ id: row.id, ...keys }] : [];
  });
  return [await openSealedKeys(deps, own), ...newerKeys];
}

/** Opens the keys of one account whose row is at hand. */
export async function openSealedKeys(deps: OpenDeps, account: SealedAccount): Promise<MerchantKeys> {
  const keys = openKeys(deps.secretBox, account);
  if (keys) return { id: account.id, ...keys };
  // Outside the caller's transaction, which may be rolled back.
  await noteUnreadable(deps, deps.db.query, { table: 'merchant_account', id: String(account.id) });
  return { id: account.id, isUnreadable: true, apiKey: '', pin: '' };
}
