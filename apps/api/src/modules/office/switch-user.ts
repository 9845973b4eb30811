import { type Actor, recordAct } from '../../db/audit.queries.ts';
import type { Deps } from '../../deps.ts';
import { fail, ok } from '../../http/result.ts';
import { noteEndedSessions } from '../auth/sessions/ended-sessions.ts';
import { endSessionsOf } from '../auth/sessions/sessions.queries.ts';
import { emailKey } from '../auth/users/email-key.ts';
import { setActive } from '../auth/users/users.queries.ts';

/** Switches an account off, which signs it out everywhere, or on again. */
export async function switchUser(deps: Deps, options: { email: string; active: boolean; by: Actor }) {
  const email = emailKey(options.email);
  const { active } = options;
  const user = await deps.db.transaction(async (tx) => {
    const found = await setActive(tx, { email, active });
    if (!found) return undefined;
    if (!active) await endSessionsOf(tx, found.id);
    await recordAct(tx, options.by, {
      action: active ? 'switch-user-on' : 'switch-user-off',
      subject: `user ${found.id}`,
    });
    return found;
  });
  if (!user) return fail('not-found');
  if (!active) noteEndedSessions(deps);
  deps.log.info({ userId: user.id, active }, 'account switched');
  return ok({ email, active });
}
