import type { Deps } from '../../deps.ts';
import { fail, ok } from '../../http/result.ts';
import { noteEndedSessions } from './ended-sessions.ts';
import { readRefreshToken } from './refresh-tokens.ts';
import { endSession, findLiveSession, rotateSession } from './sessions.queries.ts';
import { sessionTokens } from './start-session.ts';

/** How long the token before the newest is still good: tabs that ask at the same time all get the same successor. */
const GRACE_MS = 30_000;

/** Trades a refresh token for the next. A token that was traded before ends its session: somebody has a copy. */
export async function refreshSession(deps: Deps, { refreshToken }: { refreshToken: string }) {
  const token = readRefreshToken(deps, refreshToken);
  if (!token) return fail('ended');
  const { sessionId: id, generation } = token;
  const now = deps.clock();

  const rotated = await rotateSession(deps.db.query, { id, generation, now });
  if (rotated) return ok(tokensOf(deps, rotated));

  const session = await findLiveSession(deps.db.query, { id, now });
  if (!session) return fail('ended');
  const isPrevious = session.generation === generation + 1;
  if (isPrevious && now.getTime() - session.rotatedAt.getTime() <= GRACE_MS)
    return ok(tokensOf(deps, session));

  await endSession(deps.db.query, { id, now });
  noteEndedSessions(deps);
  deps.log.warn(
    { sessionId: id, userId: session.userId },
    'an old refresh token was used; its session has ended',
  );
  return fail('ended');
}

function tokensOf(deps: Deps, session: { id: string; generation: number; userId: string }) {
  return sessionTokens(deps, {
    sessionId: session.id,
    generation: session.generation,
    userId: session.userId,
  });
}
