import { randomBytes, randomUUID } from 'node:crypto';
import { hashToken } from '../../../crypto/hash-token.ts';
import type { Deps } from '../../../deps.ts';
import { fail, ok } from '../../../http/result.ts';
import { queueMail } from '../../../mail/queue-mail.queries.ts';
import {
  emailChangesPastLimits,
  limitMailsToAnybody,
  mailboxGuard,
  takeMailboxShare,
} from '../../auth/mailbox/mail-limits.ts';
import { emailKey } from '../../auth/users/email-key.ts';
import { cancelOpenEmailChange } from '../../auth/users/open-email-changes.queries.ts';
import { checkLimits, countAgainst } from '../../limits/check-limits.ts';
import { limitTries } from '../../limits/limit-misses.ts';
import { emailChangeGuard } from '../account-limits.ts';
import { askPasswordAgain, lockVerified, type PasswordAgain } from '../ask-password-again.ts';
import { findUndoableChange, insertEmailChange, isAddressTaken } from './email-change.queries.ts';
import { askedMails } from './email-change-mails.ts';

/**
 * Requests another address: mails a link to it, and an undo link to the old one. An address that already has an account
 * takes the same steps and gets the same answer; only its mail differs.
 */
export async function askEmailChange(deps: Deps, given: PasswordAgain & { email: string }) {
  const again = await askPasswordAgain(deps, given);
  if (!again.ok) return again;
  const { userId, ip } = given;
  const newEmail = emailKey(given.email);
  if (newEmail === again.value.email) return fail('email-unchanged');
  const changes = emailChangeGuard(userId);
  const mailbox = { purpose: 'email-change', email: newEmail } as const;

  return limitTries(
    deps,
    {
      guards: [changes, mailboxGuard(mailbox)],
      // Counted with the change, in its transaction.
      countedBy: () => [],
    },
    () =>
      limitMailsToAnybody(deps, { ip, pastLimits: emailChangesPastLimits }, () =>
        deps.db.transaction(async (tx) => {
          const locked = await lockVerified(tx, again.value, given.password);
          if (!locked.ok) return locked;
          const user = locked.value;
          if (newEmail === user.email) return fail('email-unchanged');
          const changed = await findUndoableChange(tx, userId);
          if (changed) return fail('email-changed-lately', { undoUntil: changed.undoUntil });
          // Under the account's lock, so that no more pass at once than one by one.
          const inTransaction = { ...deps, db: { query: tx } };
          const allowed = await checkLimits(inTransaction, [changes]);
          if (!allowed.ok) return allowed;
          if (!(await takeMailboxShare(deps, tx, mailbox))) {
            return fail('too-many-attempts', { retryAfterSeconds: 1 });
          }
          await countAgainst(inTransaction, [changes]);
          await cancelOpenEmailChange(tx, userId);
          const isTaken = await isAddressTaken(tx, newEmail);
          const token = randomBytes(32).toString('base64url');
          const change = { id: randomUUID(), userId, oldEmail: user.email, newEmail };
          await insertEmailChange(tx, { ...change, confirmHash: hashToken(token) });
          for (const mail of askedMails(deps, { ...change, token, isTaken })) await queueMail(tx, mail);
          deps.log.info({ userId }, 'email change asked');
          return ok(undefined);
        }),
      ),
  );
}
