import type { Deps } from '../../deps.ts';
import { ok } from '../../http/result.ts';
import { queueMail } from '../../mail/queue-mail.ts';
import { resetPasswordMail } from '../../mail/templates/reset-password.ts';
import { checkLimits, countAgainst } from '../limits/check-limits.ts';
import { emailKey } from './email-key.ts';
import { mailGuard, takeMailTo } from './mail-limits.ts';
import { createMailLink } from './mail-tokens.ts';
import { findUserByEmail } from './users.queries.ts';

/** Sends a link for a new password, if there is such an account. The answer does not tell. */
export async function requestPasswordReset(deps: Deps, given: { email: string; ip: string }) {
  const guards = [mailGuard(given.ip)];
  const allowed = await checkLimits(deps, guards);
  if (!allowed.ok) return allowed;
  await countAgainst(deps, guards);

  const email = emailKey(given.email);
  const isAllowed = await takeMailTo(deps, email);
  const user = await findUserByEmail(deps.db.query, email);
  if (isAllowed && user?.active) {
    await deps.db.transaction(async (tx) => {
      const link = await createMailLink(deps, tx, { purpose: 'reset', email });
      await queueMail(tx, { kind: 'reset-password', recipient: email, content: resetPasswordMail({ link }) });
    });
    deps.log.info({ userId: user.id }, 'password reset requested');
  }
  return ok(undefined);
}
