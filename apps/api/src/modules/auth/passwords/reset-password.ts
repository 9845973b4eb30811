import type { Deps } from '../../../deps.ts';
import { fail, ok } from '../../../http/result.ts';
import { queueMail } from '../../../mail/queue-mail.queries.ts';
import { passwordChangedMail } from '../../../mail/templates/account-news.ts';
import { clearLimits } from '../../limits/check-limits.ts';
import { limitWrongTokens } from '../mailbox/limit-wrong-tokens.ts';
import { mailboxGuard } from '../mailbox/mail-limits.ts';
import { findGoodMailToken, holdMailToken, spendMailTokens } from '../mailbox/mail-tokens.ts';
import { noteEndedSessions } from '../sessions/ended-sessions.ts';
import { endSessionsOf } from '../sessions/sessions.queries.ts';
import { emailKey } from '../users/email-key.ts';
import { endUnconfirmedEmailChanges } from '../users/open-email-changes.queries.ts';
import { lockUserByEmail, resetCredentials } from '../users/users.queries.ts';
import { dropWaitingOffer } from '../users/waiting-offers.queries.ts';
import { ownGuard } from './guessing-limits.ts';
import { hashingGate } from './hashing-gate.ts';
import { rememberOwnersAddress } from './known-address.ts';
import { hashPassword } from './password-hash.ts';
import { judgePassword } from './password-policy.ts';

/**
 * Spends a reset mail's token on a new password and ends every session. The mail also proves whose address
 * it is, so this confirms it.
 */
export async function resetPassword(
  deps: Deps,
  given: { email: string; token: string; password: string; ip: string },
) {
  const email = emailKey(given.email);
  const judged = await judgePassword(given.password, { email });
  if (!judged.ok) return judged;
  const token = { purpose: 'reset', email, token: given.token } as const;

  const outcome = await limitWrongTokens(
    deps,
    { ip: given.ip, find: () => findGoodMailToken(deps, token) },
    async () => {
      const hashed = await hashingGate.run(() => hashPassword(given.password));
      if (!hashed.ok) return hashed;
      return deps.db.transaction(async (tx) => {
        // A concurrent sign-in then either waits and finds the new password, or has its session ended here.
        await lockUserByEmail(tx, email);
        const held = await holdMailToken(deps, tx, token);
        const now = deps.clock();
        const user = held && (await resetCredentials(tx, { email, passwordHash: hashed.value, now }));
        if (!user) return fail('invalid-token');
        await spendMailTokens(deps, tx, { purpose: 'reset', email });
        await spendMailTokens(deps, tx, { purpose: 'confirm', email });
        await endUnconfirmedEmailChanges(tx, { userId: user.id, email });
        await dropWaitingOffer(tx, user.id);
        await endSessionsOf(tx, user.id);
        await rememberOwnersAddress(deps, tx, { userId: user.id, ip: given.ip });
        const content = passwordChangedMail({ passwordUrl: `${deps.env.PUBLIC_URL}/mail/password` });
        await queueMail(tx, { kind: 'password-changed', recipient: email, content });
        return ok(user.id);
      });
    },
  );
  if (!outcome.ok) return outcome;
  noteEndedSessions(deps);
  await clearLimits(deps, [ownGuard({ email, ip: given.ip }), mailboxGuard({ purpose: 'reset', email })]);
  deps.log.info({ userId: outcome.value }, 'password reset');
  return ok(undefined);
}
