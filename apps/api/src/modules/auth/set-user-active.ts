import type { Deps } from '../../deps.ts';
import { fail, ok } from '../../http/result.ts';
import { emailKey } from './email-key.ts';
import { noteEndedSessions } from './ended-sessions.ts';
import { endSessionsBeyond } from './sessions.queries.ts';
import { setActive } from './users.queries.ts';

/** Switches an account off, which ends its sessions, or on again. For the office. */
export async function setUserActive(deps: Deps, { email, active }: { email: string; active: boolean }) {
  const user = await deps.db.transaction(async (tx) => {
    const found = await setActive(tx, { email: emailKey(email), active });
    if (found && !active) await endSessionsBeyond(tx, { userId: found.id, keep: 0, now: deps.clock() });
    return found;
  });
  if (!user) return fail('no-such-user');
  noteEndedSessions(deps);
  deps.log.info({ userId: user.id, active }, 'account switched');
  return ok({ userId: user.id });
}
