import type { SessionShown } from '@brightpane/contract/customers/account';
import type { Deps } from '../../deps.ts';
import { findSessionsOf } from '../auth/sessions/sessions.queries.ts';

/** Where a person is signed in, most recently used device first. */
export async function listSessions(
  { db }: Pick<Deps, 'db'>,
  { userId, sessionId }: { userId: string; sessionId: string },
): Promise<SessionShown[]> {
  const sessions = await findSessionsOf(db.query, userId);
  return sessions.map((each) => ({
    sessionId: each.sessionId,
    device: each.device,
    signedInAt: each.signedInAt.toISOString(),
    lastUsedAt: each.lastUsedAt.toISOString(),
    current: each.sessionId === sessionId,
  }));
}
