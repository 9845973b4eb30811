import { openOrNull } from '../../../crypto/secret-box.ts';
import { forgetUnreadable, noteUnreadable } from '../../../crypto/unreadable-secrets.ts';
import type { Deps } from '../../../deps.ts';
import { replaceAppSecret, selectAppSecrets } from './factors.queries.ts';
import { totpPlace } from './totp-place.ts';

/** Reseals all apps' secrets under the newest data key, as `resealCards` does for cards. */
export async function resealApps(deps: Pick<Deps, 'db' | 'secretBox' | 'log'>): Promise<void> {
  const { db, secretBox } = deps;
  const readable: string[] = [];
  for (const { id, totpSecret } of await selectAppSecrets(db.query)) {
    const secret = openOrNull(secretBox, totpSecret, totpPlace(id));
    if (secret === null) {
      await noteUnreadable(deps, db.query, { table: 'staff_factor', id });
      continue;
    }
    readable.push(id);
    if (!secretBox.isStale(totpSecret)) continue;
    await replaceAppSecret(db.query, { id, from: totpSecret, to: secretBox.seal(secret, totpPlace(id)) });
  }
  await forgetUnreadable(db.query, { table: 'staff_factor', ids: readable });
}
