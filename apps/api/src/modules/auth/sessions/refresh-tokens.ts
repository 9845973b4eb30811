import { createHmac, type KeyObject, timingSafeEqual } from 'node:crypto';
import { deriveKeys } from '../../../crypto/derive-key.ts';
import type { Deps } from '../../../deps.ts';

/** A session's token of one generation: each refresh goes on to the next. */
export type RefreshTokenFacts = { sessionId: string; generation: number };

const PURPOSE = 'refresh tokens';
const ID_BYTES = 16;
const MAC_BYTES = 32;
const TOKEN_BYTES = ID_BYTES + 4 + MAC_BYTES;

/**
 * Derived, not drawn: the same generation always has the same token, so a tab that asks again gets the same successor,
 * and nothing that could be used as a token is stored.
 */
export function refreshToken(deps: Pick<Deps, 'env'>, { sessionId, generation }: RefreshTokenFacts): string {
  const facts = Buffer.alloc(ID_BYTES + 4);
  facts.write(sessionId.replaceAll('-', ''), 'hex');
  facts.writeUInt32BE(generation, ID_BYTES);
  const [newest] = deriveKeys(deps.env, PURPOSE);
  return Buffer.concat([facts, mac(newest, facts)]).toString('base64url');
}

/** What a token says, or `null` if we never made it. */
export function readRefreshToken(deps: Pick<Deps, 'env'>, token: string): RefreshTokenFacts | null {
  const bytes = Buffer.from(token, 'base64url');
  // Decoding skips what does not belong; only the one exact spelling is a token.
  if (bytes.length !== TOKEN_BYTES || bytes.toString('base64url') !== token) return null;
  const facts = bytes.subarray(0, ID_BYTES + 4);
  const given = bytes.subarray(ID_BYTES + 4);
  if (!deriveKeys(deps.env, PURPOSE).some((key) => timingSafeEqual(given, mac(key, facts)))) return null;
  const hex = facts.toString('hex', 0, ID_BYTES);
  return {
    sessionId: hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5'),
    generation: facts.readUInt32BE(ID_BYTES),
  };
}

function mac(key: KeyObject, facts: Buffer): Buffer {
  return createHmac('sha256', key).update(facts).digest();
}
