import type { Deps } from '../../../deps.ts';
import { fail, ok } from '../../../http/result.ts';
import { wake } from '../../../jobs/wake.ts';
import { emailKey } from '../users/email-key.ts';
import { isPastLimit, noteRequestPastLimit } from './mail-limits.ts';
import { insertMailRequest, insertMailRequestPastLimit } from './mail-requests.queries.ts';
import type { AccountMailPurpose } from './send-account-mail.ts';

/**
 * Queues a request for a confirmation mail or a password reset. The account and the mailbox's limits are checked after
 * the answer (`answer-mail-requests.ts`), so neither its words nor its time reveal whether the account exists. Past its
 * address's limit a request gets a mailbox the first mail of the hour only.
 */
export async function requestMail(
  deps: Deps,
  given: { purpose: AccountMailPurpose; email: string; ip: string },
) {
  const request = { purpose: given.purpose, email: emailKey(given.email) };
  const isPast = await isPastLimit(deps, given.ip);
  if (isPast) await noteRequestPastLimit(deps);
  const isQueued = await deps.db.transaction(async (tx) => {
    wake(tx, 'answer-mail-requests');
    if (isPast) return insertMailRequestPastLimit(tx, request);
    await insertMailRequest(tx, request);
    return true;
  });
  return isQueued ? ok(undefined) : fail('too-many-attempts', { retryAfterSeconds: 1 });
}
