import { openOrNull, type SecretBox, type SecretPlace } from '../../crypto/secret-box.ts';

type SecretKeys = { apiKey: string; pin: string };

const placeOf = (id: number, field: 'api_key' | 'pin'): SecretPlace => ({
  table: 'merchant_account',
  id,
  field,
});

/** Seals an account's keys for its row. */
export function sealKeys(secretBox: SecretBox, id: number, { apiKey, pin }: SecretKeys): SecretKeys {
  return {
    apiKey: secretBox.seal(apiKey, placeOf(id, 'api_key')),
    pin: secretBox.seal(pin, placeOf(id, 'pin')),
  };
}

/** An account with its keys as stored, sealed. */
export type SealedAccount = SecretKeys & { id: number };

/** Caches each account's last opened keys: every payment needs them, and decrypting costs more than reading the row. */
const opened = new WeakMap<SecretBox, Map<number, { row: SecretKeys; keys: SecretKeys }>>();

/** Decrypts an account's keys, or returns `null` if they can't be read. */
export function openKeys(secretBox: SecretBox, row: SealedAccount): SecretKeys | null {
  const known = opened.get(secretBox) ?? new Map<number, { row: SecretKeys; keys: SecretKeys }>();
  opened.set(secretBox, known);
  const before = known.get(row.id);
  if (before && before.row.apiKey === row.apiKey && before.row.pin === row.pin) return before.keys;
  const apiKey = openOrNull(secretBox, row.apiKey, placeOf(row.id, 'api_key'));
  const pin = openOrNull(secretBox, row.pin, placeOf(row.id, 'pin'));
  if (apiKey === null || pin === null) return null;
  known.set(row.id, { row: { apiKey: row.apiKey, pin: row.pin }, keys: { apiKey, pin } });
  return { apiKey, pin };
}
