import { recordAct } from '../../../db/audit.queries.ts';
import type { Deps } from '../../../deps.ts';
import { fail } from '../../../http/result.ts';
import { countFirst } from '../count-first.ts';
import { checkAppCode } from '../factors/check-app-code.ts';
import { lockStaff } from '../people/staff.queries.ts';
import { tellAdmins, tellPerson } from '../people/tell-staff.ts';
import { endSessions, isSession } from '../sessions/sessions.queries.ts';
import type { Exchange } from '../sessions/start-office-session.ts';
import { CODES_A_DAY, CODES_A_SIGN_IN, signInCodeGuards } from '../staff-limits.ts';
import { finishSignIn } from './finish-sign-in.ts';

/** Signs in with an app's code, after the password. */
export async function showCode(
  deps: Deps,
  { staffId, sessionId, code, ...exchange }: Exchange & { staffId: string; sessionId: string; code: string },
) {
  return countFirst(deps, signInCodeGuards({ sessionId, staffId }), ([ofSignIn = 0, , ofDay = 0]) =>
    deps.db.transaction(async (tx) => {
      const person = await lockStaff(tx, staffId);
      if (!person) return fail('sign-in-expired');
      const checked = await checkAppCode(deps, tx, { staffId, code });
      if (checked.ok) return finishSignIn(deps, tx, { ...exchange, person, method: 'totp' });
      const isAlarm = ofDay === CODES_A_DAY;
      await recordAct(
        tx,
        { id: staffId, name: person.email },
        {
          action: 'refuse-factor',
          subject: `staff ${staffId}`,
          detail: { method: 'totp', code: checked.code, ...(isAlarm && { codesOfDay: ofDay }) },
        },
      );
      if (ofSignIn >= CODES_A_SIGN_IN) {
        await endSessions(tx, { staffId, reason: 'codes', which: isSession(sessionId) });
      }
      if (isAlarm) {
        await tellPerson(tx, { email: person.email, news: 'many-codes' });
        await tellAdmins(tx, { email: person.email, news: 'many-codes', but: [person.email] });
      }
      return checked;
    }),
  );
}
