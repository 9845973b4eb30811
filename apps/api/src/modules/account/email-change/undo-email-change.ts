import { type Queryable, sqlState } from '../../../db/client.ts';
import type { Deps } from '../../../deps.ts';
import { fail, ok } from '../../../http/result.ts';
import { queueMail } from '../../../mail/queue-mail.queries.ts';
import { limitWrongTokens } from '../../auth/mailbox/limit-wrong-tokens.ts';
import { retireMailTokensOf } from '../../auth/mailbox/mail-tokens.queries.ts';
import { ownGuard } from '../../auth/passwords/guessing-limits.ts';
import { hashingGate } from '../../auth/passwords/hashing-gate.ts';
import { rememberOwnersAddress } from '../../auth/passwords/known-address.ts';
import { hashPassword } from '../../auth/passwords/password-hash.ts';
import { judgePassword } from '../../auth/passwords/password-policy.ts';
import { noteEndedSessions } from '../../auth/sessions/ended-sessions.ts';
import { endSessionsOf } from '../../auth/sessions/sessions.queries.ts';
import { emailKey } from '../../auth/users/email-key.ts';
import { forgetAddresses, lockUserById, setEmail, setPasswordHash } from '../../auth/users/users.queries.ts';
import { clearLimits } from '../../limits/check-limits.ts';
import { findChangeToUndo, lockChangesToUndo, markUndone } from './email-change.queries.ts';
import { changedBackMails } from './email-change-mails.ts';
import { readUndoToken } from './undo-token.ts';

const UNIQUE_VIOLATION = '23505';

/**
 * Returns an account to its previous address. Whoever changed it knew the password, so the undo sets a new
 * one and ends every session.
 */
export async function undoEmailChange(
  deps: Deps,
  given: { email: string; token: string; password: string; ip: string },
) {
  const { ip, password } = given;
  const oldEmail = emailKey(given.email);
  const judged = await judgePassword(password, { email: oldEmail });
  if (!judged.ok) return judged;

  const outcome = await limitWrongTokens(
    deps,
    {
      ip,
      find: async () => {
        const id = readUndoToken(deps, given.token);
        return id === null ? undefined : findChangeToUndo(deps.db.query, { id, oldEmail });
      },
    },
    async (found) => {
      const hashed = await hashingGate.run(() => hashPassword(password));
      if (!hashed.ok) return hashed;
      try {
        return await deps.db.transaction((tx) =>
          giveBack(deps, tx, { ...found, passwordHash: hashed.value, ip }),
        );
      } catch (error) {
        if (sqlState(error) === UNIQUE_VIOLATION) return fail('email-taken');
        throw error;
      }
    },
  );
  if (!outcome.ok) return outcome;
  noteEndedSessions(deps);
  await clearLimits(deps, [ownGuard({ email: oldEmail, ip })]);
  deps.log.info({ userId: outcome.value }, 'email change undone');
  return ok(undefined);
}

async function giveBack(
  deps: Deps,
  tx: Queryable,
  given: { id: string; userId: string; oldEmail: string; passwordHash: string; ip: string },
) {
  const { id, userId, oldEmail, passwordHash, ip } = given;
  const user = await lockUserById(tx, userId);
  const changes = await lockChangesToUndo(tx, { userId, oldEmail });
  const named = changes.find((each) => each.id === id);
  if (!user || !named) return fail('invalid-token');
  // One of them may have moved the account after the one that the link names was canceled.
  const change = changes.find(({ confirmedAt }) => confirmedAt !== null) ?? named;
  if (user.email !== oldEmail && change.confirmedAt === null) return fail('invalid-token');
  if (user.email !== oldEmail) await setEmail(tx, { userId, email: oldEmail });
  await setPasswordHash(tx, { userId, passwordHash });
  await markUndone(
    tx,
    changes.map((each) => each.id),
  );
  await endSessionsOf(tx, userId);
  // An unconfirmed new address never was the account's: its links are somebody else's.
  const owned = change.confirmedAt === null ? [oldEmail] : [oldEmail, change.newEmail];
  await retireMailTokensOf(tx, { emails: owned, now: deps.clock() });
  // Whoever knew the password must not go on as the owner, who waits less for wrong ones.
  await forgetAddresses(tx, userId);
  await rememberOwnersAddress(deps, tx, { userId, ip });
  for (const mail of changedBackMails(change)) await queueMail(tx, mail);
  return ok(userId);
}
