import { recordAct } from '../../../db/audit.queries.ts';
import type { Deps } from '../../../deps.ts';
import type { StaffCaller } from '../../../http/office-caller.ts';
import { fail, ok } from '../../../http/result.ts';
import { allOrNothing } from '../../acts/all-or-nothing.ts';
import { endSessions, isOtherSession, isSession } from '../sessions/sessions.queries.ts';

/** Signs a person out of one or all of their other devices. */
export function endSession(
  { db }: Pick<Deps, 'db'>,
  { caller, sessionId }: { caller: StaffCaller; sessionId: string },
) {
  const isAll = sessionId === 'others';
  const which = isAll ? isOtherSession(caller.session.id) : isSession(sessionId);
  return allOrNothing(db, async (tx) => {
    const ended = await endSessions(tx, { staffId: caller.id, reason: 'signed-out', which });
    if (ended === 0 && !isAll) return fail('not-found');
    await recordAct(tx, caller, {
      action: 'end-sessions',
      subject: `staff ${caller.id}`,
      detail: { ended },
    });
    return ok(undefined);
  });
}
