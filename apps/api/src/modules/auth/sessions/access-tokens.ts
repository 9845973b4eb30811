import { hash, type KeyObject } from 'node:crypto';
import { createSigner, createVerifier } from 'fast-jwt';
import { deriveKeys } from '../../../crypto/derive-key.ts';
import type { Deps } from '../../../deps.ts';
import type { Env } from '../../../env.ts';
import { type KeptResults, keepResults } from '../../../keep-results.ts';

export const ACCESS_TOKEN_SECONDS = 600;

/** The user and session of an access token. */
export type Bearer = { userId: string; sessionId: string };

type Claims = { iss: string; aud: string; sub: string; sid: string; iat: number; nbf: number; exp: number };

const AUDIENCE = 'brightpane-api';
const TYPE = 'at+jwt';
/** Instances' clocks differ slightly. */
const TOLERANCE_SECONDS = 5;
const LONGEST = 1_000;

/** Issues a token that is valid for ten minutes. */
export function issueAccessToken(
  deps: Pick<Deps, 'env' | 'hostClock'>,
  { userId, sessionId }: Bearer,
): string {
  const now = secondsOf(deps.hostClock());
  const claims: Claims = {
    iss: deps.env.PUBLIC_URL,
    aud: AUDIENCE,
    sub: userId,
    sid: sessionId,
    iat: now,
    nbf: now,
    exp: now + ACCESS_TOKEN_SECONDS,
  };
  return codecOf(deps.env).sign(claims);
}

/** The bearer of a token, or `null` if it isn't ours, isn't for us, was altered or isn't valid now. */
export function readAccessToken(deps: Pick<Deps, 'env' | 'hostClock'>, token: string): Bearer | null {
  const claims = token.length <= LONGEST ? verified(deps.env, token) : null;
  if (typeof claims?.exp !== 'number' || typeof claims.nbf !== 'number') return null;
  const now = secondsOf(deps.hostClock());
  const isGood = now < claims.exp + TOLERANCE_SECONDS && now >= claims.nbf - TOLERANCE_SECONDS;
  return isGood ? { userId: claims.sub, sessionId: claims.sid } : null;
}

/** Verifies each valid token once, as a page makes many calls with it. Keeps its digest, not the token. */
function verified(env: Env, token: string): Claims | null {
  const { verify, kept } = codecOf(env);
  try {
    return kept(hash('sha256', token, 'base64url'), () => verify(token));
  } catch {
    // The library throws for every invalid token, and for nothing else.
    return null;
  }
}

type Codec = {
  sign: (claims: Claims) => string;
  /** Throws if no key verifies the token. */
  verify: (token: string) => Claims;
  kept: KeptResults<Claims>;
};

const codecs = new WeakMap<Env, Codec>();

function codecOf(env: Env): Codec {
  let codec = codecs.get(env);
  if (!codec) {
    const keys = deriveKeys(env, 'access tokens');
    codec = {
      sign: createSigner({ key: bytesOf(keys[0]), algorithm: 'HS256', header: { alg: 'HS256', typ: TYPE } }),
      verify: withAny(keys.map((key) => verifierWith(env, key))),
      kept: keepResults(),
    };
    codecs.set(env, codec);
  }
  return codec;
}

function verifierWith(env: Env, key: KeyObject): Codec['verify'] {
  return createVerifier({
    key: bytesOf(key),
    algorithms: ['HS256'],
    checkTyp: TYPE,
    allowedIss: env.PUBLIC_URL,
    allowedAud: AUDIENCE,
    requiredClaims: ['iss', 'aud', 'sub', 'sid', 'iat', 'nbf', 'exp'],
    // `readAccessToken` checks these by our own clock, which tests can move.
    ignoreExpiration: true,
    ignoreNotBefore: true,
  });
}

function withAny(verifiers: Codec['verify'][]): Codec['verify'] {
  return (token) => {
    let failure: unknown;
    for (const verify of verifiers) {
      try {
        return verify(token);
      } catch (error) {
        failure = error;
      }
    }
    throw failure;
  };
}

/** The library builds its key from these bytes once and caches it. */
const bytesOf = (key: KeyObject) => key.export();

const secondsOf = (date: Date) => Math.floor(date.getTime() / 1000);
