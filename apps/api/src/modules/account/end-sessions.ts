import type { Deps } from '../../deps.ts';
import { fail, ok } from '../../http/result.ts';
import { noteEndedSessions } from '../auth/sessions/ended-sessions.ts';
import { endOtherSessions, endSessionOf } from '../auth/sessions/sessions.queries.ts';

const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;

/** Signs a person out of one of their devices, possibly the current one. */
export async function endOwnSession(deps: Deps, of: { userId: string; sessionId: string }) {
  const isEnded = UUID.test(of.sessionId) && (await endSessionOf(deps.db.query, of));
  if (!isEnded) return fail('session-not-found');
  noteEndedSessions(deps);
  deps.log.info(of, 'session ended');
  return ok(undefined);
}

/** Signs a person out of every device except the current one. Returns how many there were. */
export async function endOwnOtherSessions(
  deps: Deps,
  { userId, sessionId }: { userId: string; sessionId: string },
): Promise<number> {
  const ended = await endOtherSessions(deps.db.query, { userId, except: sessionId });
  noteEndedSessions(deps);
  deps.log.info({ userId, ended }, 'other sessions ended');
  return ended;
}
