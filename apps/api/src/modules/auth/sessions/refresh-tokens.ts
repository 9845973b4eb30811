import { deriveKeys } from '../../../crypto/derive-key.ts';
import { isSameInConstantTime, sign } from '../../../crypto/signature.ts';
import type { Deps } from '../../../deps.ts';

/** The content of a refresh token; each refresh advances to the next generation. */
export type RefreshTokenFacts = { sessionId: string; generation: number };

const PURPOSE = 'refresh tokens';
const ID_BYTES = 16;
const MAC_BYTES = 32;
const TOKEN_BYTES = ID_BYTES + 4 + MAC_BYTES;

/**
 * Derived, not random: one generation always has the same token, so a tab that asks again gets the same successor, and
 * the database stores nothing usable as a token.
 */
export function refreshToken(deps: Pick<Deps, 'env'>, { sessionId, generation }: RefreshTokenFacts): string {
  const facts = Buffer.alloc(ID_BYTES + 4);
  facts.write(sessionId.replaceAll('-', ''), 'hex');
  facts.writeUInt32BE(generation, ID_BYTES);
  const [newest] = deriveKeys(deps.env, PURPOSE);
  return Buffer.concat([facts, sign(newest, facts)]).toString('base64url');
}

/** A token's content, or `null` if we never issued it. */
export function readRefreshToken(deps: Pick<Deps, 'env'>, token: string): RefreshTokenFacts | null {
  const bytes = Buffer.from(token, 'base64url');
  // Decoding ignores invalid characters; accept only the canonical spelling.
  if (bytes.length !== TOKEN_BYTES || bytes.toString('base64url') !== token) return null;
  const facts = bytes.subarray(0, ID_BYTES + 4);
  const given = bytes.subarray(ID_BYTES + 4);
  if (!deriveKeys(deps.env, PURPOSE).some((key) => isSameInConstantTime(given, sign(key, facts))))
    return null;
  const hex = facts.toString('hex', 0, ID_BYTES);
  return {
    sessionId: hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5'),
    generation: facts.readUInt32BE(ID_BYTES),
  };
}
