import type { KeyObject } from 'node:crypto';
import { createSigner, createVerifier } from 'fast-jwt';
import { deriveKeys } from '../../../crypto/derive-key.ts';
import type { Deps } from '../../../deps.ts';
import type { Env } from '../../../env.ts';

export const ACCESS_TOKEN_SECONDS = 600;

/** Whom an access token speaks for, and the session that it came from. */
export type Bearer = { userId: string; sessionId: string };

type Claims = { iss: string; aud: string; sub: string; sid: string; iat: number; nbf: number; exp: number };

const AUDIENCE = 'brightpane-api';
const TYPE = 'at+jwt';
/** Clocks of several instances differ by a little. */
const TOLERANCE_SECONDS = 5;
const LONGEST = 1_000;

/** A token for the next ten minutes. */
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

/** Whom a token speaks for, or `null` where it is not ours, not for us, altered, or not good at this moment. */
export function readAccessToken(deps: Pick<Deps, 'env' | 'hostClock'>, token: string): Bearer | null {
  const claims = token.length <= LONGEST ? verified(deps.env, token) : null;
  if (typeof claims?.exp !== 'number' || typeof claims.nbf !== 'number') return null;
  const now = secondsOf(deps.hostClock());
  const isGood = now < claims.exp + TOLERANCE_SECONDS && now >= claims.nbf - TOLERANCE_SECONDS;
  return isGood ? { userId: claims.sub, sessionId: claims.sid } : null;
}

function verified(env: Env, token: string): Claims | null {
  for (const verify of codecOf(env).verifiers) {
    try {
      return verify(token) as Claims;
    } catch {
      // The library throws for every token that it does not take, and for nothing else.
    }
  }
  return null;
}

type Codec = { sign: (claims: Claims) => string; verifiers: ((token: string) => unknown)[] };

const codecs = new WeakMap<Env, Codec>();

function codecOf(env: Env): Codec {
  let codec = codecs.get(env);
  if (!codec) {
    const keys = deriveKeys(env, 'access tokens');
    codec = {
      sign: createSigner({ key: bytesOf(keys[0]), algorithm: 'HS256', header: { alg: 'HS256', typ: TYPE } }),
      verifiers: keys.map((key) =>
        createVerifier({
          key: bytesOf(key),
          algorithms: ['HS256'],
          checkTyp: TYPE,
          allowedIss: env.PUBLIC_URL,
          allowedAud: AUDIENCE,
          requiredClaims: ['iss', 'aud', 'sub', 'sid', 'iat', 'nbf', 'exp'],
          // Judged by our own clock instead, which tests can move.
          ignoreExpiration: true,
          ignoreNotBefore: true,
        }),
      ),
    };
    codecs.set(env, codec);
  }
  return codec;
}

/** The library takes these, and makes a key of them once. */
const bytesOf = (key: KeyObject) => key.export();

const secondsOf = (date: Date) => Math.floor(date.getTime() / 1000);
