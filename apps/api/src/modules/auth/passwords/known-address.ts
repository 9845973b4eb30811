import type { KeyObject } from 'node:crypto';
import { deriveKeys } from '../../../crypto/derive-key.ts';
import { signText } from '../../../crypto/signature.ts';
import type { Queryable } from '../../../db/client.ts';
import type { Deps } from '../../../deps.ts';
import { clientAddress } from '../../limits/client-address.ts';
import { isKnownAddress, rememberAddress } from '../users/users.queries.ts';

const REMEMBERED_DAYS = 180;

/** Whether the account's owner used this address recently. */
export function isOwnersAddress(
  deps: Pick<Deps, 'env' | 'clock'>,
  db: Queryable,
  { email, ip }: { email: string; ip: string },
): Promise<boolean> {
  const since = new Date(deps.clock().getTime() - REMEMBERED_DAYS * 86_400_000);
  return isKnownAddress(db, { email, addresses: hashes(deps, ip), since });
}

/** Call only for somebody who proved the password or read a mail to the account. */
export function rememberOwnersAddress(
  deps: Pick<Deps, 'env' | 'clock'>,
  tx: Queryable,
  { userId, ip }: { userId: string; ip: string },
): Promise<void> {
  return rememberAddress(tx, { userId, address: ownersAddress(deps, ip), seenAt: deps.clock() });
}

/** The keyed hash stored in place of an address. */
export function ownersAddress(deps: Pick<Deps, 'env'>, ip: string): string {
  const [address] = hashes(deps, ip);
  return address;
}

/** With the newest secret first, then those it replaces. */
function hashes({ env }: Pick<Deps, 'env'>, ip: string): [string, ...string[]] {
  const [newest, ...older] = deriveKeys(env, 'known addresses');
  const hash = (key: KeyObject) => signText(key, clientAddress(ip));
  return [hash(newest), ...older.map(hash)];
}
