import type { KeyObject } from 'node:crypto';
import { deriveKeys } from '../../crypto/derive-key.ts';
import { isSameInConstantTime, signText } from '../../crypto/signature.ts';
import type { Deps } from '../../deps.ts';

const PURPOSE = 'offering an account after a payment';

/** What a guest has proved who is offered an account. */
export type Shown = { intentId: string; locationId: number; zipKey: string };

/** A decoded offer. Contains the zip code only as a digest. */
export type GivenOffer = {
  intentId: string;
  locationId: number;
  isOfZip: (zipKey: string | null) => boolean;
};

/** Not stored: whether an offer is still valid follows from the payment and its location. */
export function mintOffer({ env }: Pick<Deps, 'env'>, { intentId, locationId, zipKey }: Shown): string {
  const [newest] = deriveKeys(env, PURPOSE);
  const payload = [intentId, locationId, digestOf(newest, zipKey)].join('.');
  return `${payload}.${signText(newest, payload)}`;
}

/** A token's offer, or null if we never issued it. */
export function readOffer({ env }: Pick<Deps, 'env'>, token: string): GivenOffer | null {
  const end = token.lastIndexOf('.');
  const [payload, given] = [token.slice(0, Math.max(end, 0)), token.slice(end + 1)];
  const key = deriveKeys(env, PURPOSE).find((each) => isSameInConstantTime(given, signText(each, payload)));
  if (!key) return null;
  const [intentId = '', locationId, digest = ''] = payload.split('.');
  return {
    intentId,
    locationId: Number(locationId),
    isOfZip: (zipKey) => zipKey !== null && isSameInConstantTime(digest, digestOf(key, zipKey)),
  };
}

const digestOf = (key: KeyObject, zipKey: string) => signText(key, `zip ${zipKey}`);
