import type { Deps } from '../../../deps.ts';
import { ok } from '../../../http/result.ts';
import { wake } from '../../../jobs/wake.ts';
import { countWithin } from '../../limits/check-limits.ts';
import { emailKey } from '../users/email-key.ts';
import { mailGuard } from './mail-limits.ts';
import { insertMailRequest } from './mail-requests.queries.ts';
import type { AccountMailPurpose } from './send-account-mail.ts';

/**
 * Queues a request for a confirmation mail or a password reset. The account and the mailbox's limits are checked after
 * the answer (`answer-mail-requests.ts`), so neither its words nor its time reveal whether the account exists.
 */
export async function requestMail(
  deps: Deps,
  given: { purpose: AccountMailPurpose; email: string; ip: string },
) {
  const email = emailKey(given.email);
  const allowed = await countWithin(deps, [mailGuard(given.ip)]);
  if (!allowed.ok) return allowed;

  await deps.db.transaction(async (tx) => {
    await insertMailRequest(tx, { purpose: given.purpose, email });
    wake(tx, 'answer-mail-requests');
  });
  return ok(undefined);
}
