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

/** The same in the clear, or `null` where they cannot be read. */
export function openKeys(secretBox: SecretBox, row: SecretKeys & { id: number }): SecretKeys | null {
  const apiKey = openOrNull(secretBox, row.apiKey, placeOf(row.id, 'api_key'));
  const pin = openOrNull(secretBox, row.pin, placeOf(row.id, 'pin'));
  return apiKey === null || pin === null ? null : { apiKey, pin };
}
