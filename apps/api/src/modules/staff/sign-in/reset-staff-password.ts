import { recordAct } from '../../../db/audit.queries.ts';
import type { Deps } from '../../../deps.ts';
import { fail, ok } from '../../../http/result.ts';
import { mailboxGuard } from '../../auth/mailbox/mail-limits.ts';
import { holdMailToken, isMailTokenGood, spendMailTokens } from '../../auth/mailbox/mail-tokens.ts';
import { mailTokenGuards, ownGuard } from '../../auth/passwords/guessing-limits.ts';
import { emailKey } from '../../auth/users/email-key.ts';
import { clearLimits } from '../../limits/check-limits.ts';
import { limitMisses } from '../../limits/limit-misses.ts';
import { hashStaffPassword, judgeStaffPassword } from '../account/choose-password.ts';
import { findStaffByEmail, lockStaff, setStaffPassword } from '../people/staff.queries.ts';
import { tellPerson } from '../people/tell-staff.ts';
import { endSessions } from '../sessions/sessions.queries.ts';

/** Spends a reset link on a new password. Signing in still needs the second factor. */
export async function resetStaffPassword(
  deps: Deps,
  { ip, token, password, ...given }: { email: string; token: string; password: string; ip: string },
) {
  const email = emailKey(given.email);
  const judged = await judgeStaffPassword(password, { email });
  if (!judged.ok) return judged;
  const named = { purpose: 'office-reset', email, token } as const;
  const outcome = await limitMisses(
    deps,
    { guards: mailTokenGuards(ip), isMiss: (result) => !result.ok && result.code === 'invalid-token' },
    async () => {
      if (!(await isMailTokenGood(deps, named))) return fail('invalid-token');
      const hashed = await hashStaffPassword(password);
      if (!hashed.ok) return hashed;
      return deps.db.transaction(async (tx) => {
        const held = await holdMailToken(deps, tx, named);
        const found = held && (await findStaffByEmail(tx, email));
        const person = found && (await lockStaff(tx, found.id));
        // Links sent before the person was switched off no longer work.
        if (!person || person.state === 'off') return fail('invalid-token');
        await spendMailTokens(deps, tx, { purpose: 'office-reset', email });
        await setStaffPassword(tx, { userId: person.userId, passwordHash: hashed.value });
        await endSessions(tx, { staffId: person.id, reason: 'new-password' });
        await tellPerson(tx, { email, news: 'password-changed' });
        const by = { id: person.id, name: email };
        await recordAct(tx, by, { action: 'reset-password', subject: `staff ${person.id}` });
        return ok(undefined);
      });
    },
  );
  if (!outcome.ok) return outcome;
  await clearLimits(deps, [ownGuard({ email, ip }), mailboxGuard({ purpose: 'office-reset', email })]);
  return ok(undefined);
}
