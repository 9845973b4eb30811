import type { Deps } from '../../deps.ts';
import { fail, ok } from '../../http/result.ts';
import { queueMail } from '../../mail/queue-mail.queries.ts';
import { passwordChangedMail } from '../../mail/templates/account-news.ts';
import { spendMailTokens } from '../auth/mailbox/mail-tokens.ts';
import { hashingGate } from '../auth/passwords/hashing-gate.ts';
import { hashPassword, verifyPassword } from '../auth/passwords/password-hash.ts';
import { judgePassword } from '../auth/passwords/password-policy.ts';
import { noteEndedSessions } from '../auth/sessions/ended-sessions.ts';
import { endOtherSessions } from '../auth/sessions/sessions.queries.ts';
import { cancelOpenEmailChange } from '../auth/users/open-email-changes.queries.ts';
import { setPasswordHash } from '../auth/users/users.queries.ts';
import { askPasswordAgain, lockVerified, type PasswordAgain } from './ask-password-again.ts';

/** Sets another password and ends every session except the current one. */
export async function changePassword(deps: Deps, given: PasswordAgain & { newPassword: string }) {
  const again = await askPasswordAgain(deps, given);
  if (!again.ok) return again;
  const { userId, sessionId, newPassword } = given;
  const { email, passwordHash: from } = again.value;
  const judged = await judgePassword(newPassword, { email });
  if (!judged.ok) return { ...judged, passwordField: 'newPassword' };
  const hashed = await hashingGate.run(async () =>
    (await verifyPassword(from, newPassword)) ? null : hashPassword(newPassword),
  );
  if (!hashed.ok) return hashed;
  const to = hashed.value;
  if (to === null) return fail('password-unchanged');

  const changed = await deps.db.transaction(async (tx) => {
    const locked = await lockVerified(tx, again.value, given.password);
    if (!locked.ok) return locked;
    await setPasswordHash(tx, { userId, passwordHash: to });
    await endOtherSessions(tx, { userId, except: sessionId });
    await spendMailTokens(deps, tx, { purpose: 'reset', email: locked.value.email });
    await cancelOpenEmailChange(tx, userId);
    const content = passwordChangedMail({ passwordUrl: `${deps.env.PUBLIC_URL}/mail/password` });
    await queueMail(tx, { kind: 'password-changed', recipient: locked.value.email, content });
    return ok(undefined);
  });
  if (!changed.ok) return changed;
  noteEndedSessions(deps);
  deps.log.info({ userId }, 'password changed');
  return ok(undefined);
}
