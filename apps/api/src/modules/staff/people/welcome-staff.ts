import { recordAct } from '../../../db/audit.queries.ts';
import type { Deps } from '../../../deps.ts';
import { fail, ok } from '../../../http/result.ts';
import { holdMailToken, isMailTokenGood } from '../../auth/mailbox/mail-tokens.ts';
import { mailTokenGuards } from '../../auth/passwords/guessing-limits.ts';
import { emailKey } from '../../auth/users/email-key.ts';
import { limitMisses } from '../../limits/limit-misses.ts';
import { hashStaffPassword, judgeStaffPassword } from '../account/choose-password.ts';
import { listFactors } from '../factors/factors.queries.ts';
import { endSessions } from '../sessions/sessions.queries.ts';
import { type Exchange, startOfficeSession } from '../sessions/start-office-session.ts';
import { findStaffByEmail, lockStaff, setStaffNames, setStaffPassword } from './staff.queries.ts';

/**
 * Sets the name and password of whoever has the link. Confirming the first factor spends the link, so a person who
 * stops half-way can open it again.
 */
export async function welcomeStaff(
  deps: Deps,
  {
    email: given,
    token,
    firstName,
    lastName,
    password,
    ...exchange
  }: Exchange & { email: string; token: string; firstName: string; lastName: string; password: string },
) {
  const email = emailKey(given);
  const judged = await judgeStaffPassword(password, { email });
  if (!judged.ok) return judged;
  const named = { purpose: 'staff', email, token } as const;
  return limitMisses(
    deps,
    {
      guards: mailTokenGuards(exchange.request.ip),
      isMiss: (outcome) => !outcome.ok && outcome.code === 'invalid-token',
    },
    async () => {
      if (!(await isMailTokenGood(deps, named))) return fail('invalid-token');
      const hashed = await hashStaffPassword(password);
      if (!hashed.ok) return hashed;
      return deps.db.transaction(async (tx) => {
        const held = await holdMailToken(deps, tx, named);
        const found = held && (await findStaffByEmail(tx, email));
        const person = found && (await lockStaff(tx, found.id));
        if (!person || person.state === 'off' || person.heldAt) return fail('invalid-token');
        if ((await listFactors(tx, person.id)).length > 0) return fail('invalid-token');
        await setStaffNames(tx, { userId: person.userId, firstName, lastName });
        await setStaffPassword(tx, { userId: person.userId, passwordHash: hashed.value });
        await endSessions(tx, { staffId: person.id, reason: 'new-password' });
        await startOfficeSession(deps, tx, {
          ...exchange,
          staffId: person.id,
          level: 'enrol',
          method: 'welcome',
          states: ['invited', 'active'],
          from: null,
        });
        const by = { id: person.id, name: email };
        await recordAct(tx, by, { action: 'open-invitation', subject: `staff ${person.id}` });
        return ok(undefined);
      });
    },
  );
}
