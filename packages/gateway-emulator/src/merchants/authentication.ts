import { createHash, timingSafeEqual } from 'node:crypto';
import type { Merchant } from './merchants.ts';

export type Authentication = { ok: true; merchant: Merchant } | { ok: false; errorcode: 0 | 23 | 21002 };

/** `s2/` + seed + `/` + sha256(key + seed + pin), hex. Seeds may repeat: nothing forbids it. */
function apiHash(apiKey: string, seed: string, pin: string): string {
  const digest = createHash('sha256').update(`${apiKey}${seed}${pin}`).digest('hex');
  return `s2/${seed}/${digest}`;
}

function credentialsOf(header: string | undefined): { key: string; hash: string } | undefined {
  const encoded = /^Basic\s+(\S+)$/i.exec(header ?? '')?.[1];
  if (encoded === undefined) return undefined;
  const text = Buffer.from(encoded, 'base64').toString('utf8');
  const colon = text.indexOf(':');
  return colon < 0 ? undefined : { key: text.slice(0, colon), hash: text.slice(colon + 1) };
}

function isSame(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return a.length === b.length && timingSafeEqual(a, b);
}

/** Secret keys work only outside /pub/, public keys only inside. */
export function authenticate(
  header: string | undefined,
  merchants: Merchant[],
  isPublicPath: boolean,
): Authentication {
  if (header === undefined || header === '') return { ok: false, errorcode: 0 };
  const credentials = credentialsOf(header);
  if (!credentials) return { ok: false, errorcode: 21002 };
  const { key, hash } = credentials;
  if (isPublicPath) {
    const merchant = merchants.find(({ publicKey }) => publicKey === key);
    if (!merchant) return { ok: false, errorcode: 23 };
    return hash === 's2//' ? { ok: true, merchant } : { ok: false, errorcode: 21002 };
  }
  const merchant = merchants.find(({ apiKey }) => apiKey === key);
  if (!merchant) return { ok: false, errorcode: 23 };
  const [scheme, seed, digest, ...rest] = hash.split('/');
  const isWellFormed =
    scheme === 's2' && seed !== undefined && seed !== '' && digest !== undefined && rest.length === 0;
  return isWellFormed && isSame(hash, apiHash(merchant.apiKey, seed, merchant.pin))
    ? { ok: true, merchant }
    : { ok: false, errorcode: 21002 };
}
