import type { Deps } from '../../../deps.ts';
import { fail, ok } from '../../../http/result.ts';
import { noteEndedSessions } from './ended-sessions.ts';
import { readRefreshToken } from './refresh-tokens.ts';
import { endSession, findLiveSession, type LiveSession, rotateSession } from './sessions.queries.ts';
import { sessionTokens } from './start-session.ts';

/** Trades a refresh token for the next. A reused token ends its session: somebody has a copy. */
export async function refreshSession(deps: Deps, { refreshToken }: { refreshToken: string }) {
  const token = readRefreshToken(deps, refreshToken);
  if (!token) return fail('ended');
  const { sessionId: id, generation } = token;

  const rotated = await rotateSession(deps.db.query, { id, generation });
  if (rotated) return ok(tokensOf(deps, rotated));

  const session = await findLiveSession(deps.db.query, id);
  if (!session) return fail('ended');
  const isPrevious = session.generation === generation + 1;
  if (isPrevious && session.isJustRotated) return ok(tokensOf(deps, session));

  await endSession(deps.db.query, id);
  noteEndedSessions(deps);
  deps.log.warn(
    { sessionId: id, userId: session.userId },
    'an old refresh token was used; its session has ended',
  );
  return fail('ended');
}

function tokensOf(deps: Deps, session: LiveSession) {
  return sessionTokens(deps, {
    sessionId: session.id,
    generation: session.generation,
    userId: session.userId,
  });
}
