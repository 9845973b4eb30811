import { recordAct } from '../../../db/audit.queries.ts';
import type { Queryable } from '../../../db/client.ts';
import type { Deps } from '../../../deps.ts';
import type { StaffCaller } from '../../../http/office-caller.ts';
import { countFirst } from '../count-first.ts';
import { checkAppCode } from '../factors/check-app-code.ts';
import { endSessions, isSession } from '../sessions/sessions.queries.ts';
import { CODES_A_SESSION, sessionCodeGuard } from '../staff-limits.ts';

/**
 * Checks a code within a session and, if right, continues in the same transaction. Too many guesses, as by somebody at
 * an unlocked browser, end the session.
 */
export function checkSessionCode<Outcome extends { ok: boolean }>(
  deps: Deps,
  { caller, code }: { caller: StaffCaller; code: string },
  next: (tx: Queryable, factor: { factorId: string }) => Promise<Outcome>,
) {
  const sessionId = caller.session.id;
  return countFirst(deps, [sessionCodeGuard(sessionId)], ([ofSession = 0]) =>
    deps.db.transaction(async (tx) => {
      const checked = await checkAppCode(deps, tx, { staffId: caller.id, code });
      if (checked.ok) return next(tx, checked.value);
      await recordAct(tx, caller, {
        action: 'refuse-factor',
        subject: `staff ${caller.id}`,
        detail: { method: 'totp', code: checked.code },
      });
      if (ofSession >= CODES_A_SESSION) {
        await endSessions(tx, { staffId: caller.id, reason: 'codes', which: isSession(sessionId) });
      }
      return checked;
    }),
  );
}
