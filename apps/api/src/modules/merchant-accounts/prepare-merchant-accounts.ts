import type { Deps } from '../../deps.ts';
import { listAccounts, lockMerchantAccounts, storeSealedKeys } from './merchant-accounts.queries.ts';
import { replaceMerchantAccount } from './replace-merchant-account.ts';

/** At start: the portal's own account is that of the settings, and no key stays sealed under an old data key. */
export async function prepareMerchantAccounts(deps: Pick<Deps, 'db' | 'env' | 'secretBox'>): Promise<void> {
  const { db, env, secretBox } = deps;
  await db.transaction(async (tx) => {
    await lockMerchantAccounts(tx);
    for (const { id, apiKey, pin } of await listAccounts(tx)) {
      if (!secretBox.isStale(apiKey) && !secretBox.isStale(pin)) continue;
      const resealed = {
        id,
        apiKey: secretBox.seal(secretBox.open(apiKey)),
        pin: secretBox.seal(secretBox.open(pin)),
      };
      await storeSealedKeys(tx, resealed);
    }
    await replaceMerchantAccount(deps, {
      tx,
      franchiseId: null,
      keys: {
        apiKey: env.USAEPAY_API_KEY,
        pin: env.USAEPAY_PIN,
        publicKey: env.USAEPAY_PUBLIC_KEY,
      },
    });
  });
}
