import type { Deps } from '../../../deps.ts';
import { noteEndedSessions } from './ended-sessions.ts';
import { readRefreshToken } from './refresh-tokens.ts';
import { endSession } from './sessions.queries.ts';

/** Ends a refresh token's session. A token that isn't ours counts as signed out. */
export async function signOut(deps: Deps, { refreshToken }: { refreshToken: string }): Promise<void> {
  const token = readRefreshToken(deps, refreshToken);
  if (!token) return;
  await endSession(deps.db.query, token.sessionId);
  noteEndedSessions(deps);
  deps.log.info({ sessionId: token.sessionId }, 'signed out');
}
