import type { Deps } from '../../../deps.ts';
import { type Bearer, readAccessToken } from './access-tokens.ts';
import { hasSessionEnded } from './ended-sessions.ts';

/** The user and session of a bearer token, or `null`. */
export async function authenticate(
  deps: Pick<Deps, 'db' | 'env' | 'hostClock'>,
  token: string,
): Promise<Bearer | null> {
  const bearer = readAccessToken(deps, token);
  if (!bearer || (await hasSessionEnded(deps, bearer.sessionId))) return null;
  return bearer;
}
