import { forgetUnreadable, noteUnreadable } from '../../crypto/unreadable-secrets.ts';
import type { Queryable } from '../../db/client.ts';
import type { Deps } from '../../deps.ts';
import { listAccounts, lockMerchantAccounts, storeSealedKeys } from './merchant-accounts.queries.ts';
import { replaceMerchantAccount } from './replace-merchant-account.ts';
import { openKeys, sealKeys } from './sealed-keys.ts';

type StartDeps = Pick<Deps, 'db' | 'env' | 'secretBox' | 'log'>;

/** At start, reseals stale keys and sets the portal's own account from the settings. */
export async function prepareMerchantAccounts(deps: StartDeps): Promise<void> {
  const { db, env } = deps;
  await db.transaction(async (tx) => {
    await lockMerchantAccounts(tx);
    await resealAccounts(deps, tx);
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

async function resealAccounts(deps: Pick<Deps, 'secretBox' | 'log'>, tx: Queryable): Promise<void> {
  const { secretBox } = deps;
  const readable: string[] = [];
  for (const account of await listAccounts(tx)) {
    const { id, apiKey, pin } = account;
    const keys = openKeys(secretBox, account);
    if (!keys) {
      await noteUnreadable(deps, tx, { table: 'merchant_account', id: String(id) });
      continue;
    }
    readable.push(String(id));
    if (!secretBox.isStale(apiKey) && !secretBox.isStale(pin)) continue;
    await storeSealedKeys(tx, { id, ...sealKeys(secretBox, id, keys) });
  }
  await forgetUnreadable(tx, { table: 'merchant_account', ids: readable });
}
