import type { Deps } from '../../deps.ts';
import type { MerchantKeys } from '../../gateway/payment-gateway.ts';
import { findAccountAndNewer } from './merchant-accounts.queries.ts';

/**
 * The keys of an account in the clear, followed by those of the same owner's newer accounts: where the provider no
 * longer takes the old keys, a newer pair may reach the same merchant account.
 */
export async function openMerchantKeys(
  { db, secretBox }: Pick<Deps, 'db' | 'secretBox'>,
  { accountId }: { accountId: number },
): Promise<[MerchantKeys, ...MerchantKeys[]]> {
  const rows = await findAccountAndNewer(db.query, accountId);
  const [own, ...newer] = rows.map(({ id, apiKey, pin }) => ({
    id,
    apiKey: secretBox.open(apiKey),
    pin: secretBox.open(pin),
  }));
  if (own?.id !== accountId) throw new Error(`merchant account ${accountId} is not there`);
  return [own, ...newer];
}
