import { recordAct } from '../../../db/audit.queries.ts';
import type { Deps } from '../../../deps.ts';
import { ok } from '../../../http/result.ts';
import { mailboxGuard } from '../../auth/mailbox/mail-limits.ts';
import { ownGuard } from '../../auth/passwords/guessing-limits.ts';
import { emailKey } from '../../auth/users/email-key.ts';
import { clearLimits } from '../../limits/check-limits.ts';
import { setPasswordByLink } from '../account/set-password-by-link.ts';
import { tellPerson } from '../people/tell-staff.ts';

/** Spends a reset link on a new password. Signing in still needs the second factor. */
export async function resetStaffPassword(
  deps: Deps,
  given: { email: string; token: string; password: string; ip: string },
) {
  const email = emailKey(given.email);
  const purpose = 'office-reset';
  const outcome = await setPasswordByLink(
    deps,
    { ...given, purpose },
    async (tx, { person, by, setPassword }) => {
      await setPassword();
      await tellPerson(tx, { email, news: 'password-changed' });
      await recordAct(tx, by, { action: 'reset-password', subject: `staff ${person.id}` });
      return ok(undefined);
    },
  );
  if (!outcome.ok) return outcome;
  await clearLimits(deps, [ownGuard({ email, ip: given.ip }), mailboxGuard({ purpose, email })]);
  return ok(undefined);
}
