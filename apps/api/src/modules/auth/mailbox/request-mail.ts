import type { Deps } from '../../../deps.ts';
import { ok } from '../../../http/result.ts';
import { wake } from '../../../jobs/wake.ts';
import { checkLimits, countAgainst } from '../../limits/check-limits.ts';
import { emailKey } from '../users/email-key.ts';
import { mailGuard } from './mail-limits.ts';
import { insertMailRequest } from './mail-requests.queries.ts';
import type { AccountMailPurpose } from './send-account-mail.ts';

/**
 * Asks for a confirmation mail again, or for a new password. Whether there is such an account is looked up after the
 * answer (`answer-mail-requests.ts`), so neither its words nor its time can tell, and so are the mailbox's limits.
 */
export async function requestMail(
  deps: Deps,
  given: { purpose: AccountMailPurpose; email: string; ip: string },
) {
  const email = emailKey(given.email);
  const fromHere = [mailGuard(given.ip)];
  const allowed = await checkLimits(deps, fromHere);
  if (!allowed.ok) return allowed;
  await countAgainst(deps, fromHere);

  await deps.db.transaction(async (tx) => {
    await insertMailRequest(tx, { purpose: given.purpose, email });
    wake(tx, 'answer-mail-requests');
  });
  return ok(undefined);
}
