import type { Deps } from '../../deps.ts';
import { ok } from '../../http/result.ts';
import { checkLimits, countAgainst } from '../limits/check-limits.ts';
import { emailKey } from './email-key.ts';
import { mailGuard, takeMailTo } from './mail-limits.ts';
import { sendConfirmation } from './register-user.ts';
import { findUserByEmail } from './users.queries.ts';

/** Sends the confirmation mail again, if there is an account that waits for it. The answer does not tell. */
export async function resendConfirmation(deps: Deps, given: { email: string; ip: string }) {
  const guards = [mailGuard(given.ip)];
  const allowed = await checkLimits(deps, guards);
  if (!allowed.ok) return allowed;
  await countAgainst(deps, guards);

  const email = emailKey(given.email);
  const isAllowed = await takeMailTo(deps, email);
  const user = await findUserByEmail(deps.db.query, email);
  if (isAllowed && user?.active && !user.emailConfirmedAt) {
    await deps.db.transaction((tx) => sendConfirmation(deps, tx, email));
    deps.log.info({ userId: user.id }, 'confirmation sent again');
  }
  return ok(undefined);
}
