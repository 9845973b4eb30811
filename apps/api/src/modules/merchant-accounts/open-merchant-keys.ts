import { noteUnreadable } from '../../crypto/unreadable-secrets.ts';
import type { Deps } from '../../deps.ts';
import type { MerchantKeys } from '../../gateway/payment-gateway.ts';
import { findAccountAndNewer } from './merchant-accounts.queries.ts';
import { openKeys } from './sealed-keys.ts';

/**
 * The keys of an account in the clear, followed by those of the same owner's newer accounts: where the provider no
 * longer takes the old keys, a newer pair may reach the same merchant account. Keys that cannot be read are like keys
 * that the provider refuses: what goes by them is tried again, and newer ones may serve.
 */
export async function openMerchantKeys(
  deps: Pick<Deps, 'db' | 'secretBox' | 'log'>,
  { accountId }: { accountId: number },
): Promise<[MerchantKeys, ...MerchantKeys[]]> {
  const [own, ...newer] = await findAccountAndNewer(deps.db.query, accountId);
  if (own?.id !== accountId) throw new Error(`merchant account ${accountId} is not there`);
  const ownKeys = openKeys(deps.secretBox, own);
  if (!ownKeys) await noteUnreadable(deps, deps.db.query, { table: 'merchant_account', id: String(own.id) });
  const newerKeys = newer.flatMap((row) => {
    const keys = openKeys(deps.secretBox, row);
    return keys ? [{ id: row.id, ...keys }] : [];
  });
  return [{ id: own.id, ...(ownKeys ?? { isUnreadable: true, apiKey: '', pin: '' }) }, ...newerKeys];
}
