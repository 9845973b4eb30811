import { openOrNull, type SecretBox, type SecretPlace } from '../../crypto/secret-box.ts';

type SecretKeys = { apiKey: string; pin: string };

const placeOf = (id: number, field: 'api_key' | 'pin'): SecretPlace => ({
  table: 'merchant_account',
  id,
  field,
});

/** The keys of an account as its row holds them. */
export function sealKeys(secretBox: SecretBox, id: number, { apiKey, pin }: SecretKeys): SecretKeys {
  return {
    apiKey: secretBox.seal(apiKey, placeOf(id, 'api_key')),
    pin: secretBox.seal(pin, placeOf(id, 'pin')),
  };
}

/** An account with its keys as its row holds them. */
export type SealedAccount = SecretKeys & { id: number };

/** What was opened last of each account: every payment asks for the same, and opening costs more than finding the row. */
const opened = new WeakMap<SecretBox, Map<number, { row: SecretKeys; keys: SecretKeys }>>();

/** The same in the clear, or `null` where they cannot be read. */
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
