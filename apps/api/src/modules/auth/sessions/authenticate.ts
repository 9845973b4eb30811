import type { Deps } from '../../../deps.ts';
import { type Bearer, readAccessToken } from './access-tokens.ts';
import { hasSessionEnded } from './ended-sessions.ts';

/** The user and session of a bearer token, or `null`. */
export function authenticate(
  deps: Pick<Deps, 'db' | 'env' | 'hostClock'>,
  token: string,
): Bearer | null | Promise<Bearer | null> {
  const bearer = readAccessToken(deps, token);
  const hasEnded = bearer === null || hasSessionEnded(deps, bearer.sessionId);
  if (hasEnded instanceof Promise) return hasEnded.then((ended) => (ended ? null : bearer));
  return hasEnded ? null : bearer;
}
