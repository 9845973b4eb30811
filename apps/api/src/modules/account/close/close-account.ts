import type { Deps } from '../../../deps.ts';
import { fail, ok } from '../../../http/result.ts';
import { cancelUnsentInvitations } from '../../../mail/cancel-unsent-mail.queries.ts';
import { inAMonth, queueMail } from '../../../mail/queue-mail.queries.ts';
import { accountClosedMail } from '../../../mail/templates/account-news.ts';
import { NOBODYS_HASH } from '../../auth/passwords/password-hash.ts';
import { noteEndedSessions } from '../../auth/sessions/ended-sessions.ts';
import { endSessionsOf } from '../../auth/sessions/sessions.queries.ts';
import { askPasswordAgain, lockVerified, type PasswordAgain } from '../ask-password-again.ts';
import { findInvitationsToEarlier } from '../earlier-invitations.queries.ts';
import { findUndoableChange } from '../email-change/email-change.queries.ts';
import {
  blankMailsLater,
  cancelAccountMails,
  deleteMailRequests,
  deleteMailTokens,
  deleteOwnThings,
  emptyAccount,
  emptyInvitations,
  endLinks,
  findChangeIds,
  hasUndecidedPayment,
} from './close.queries.ts';

/**
 * Closes an account permanently, in one commit. Keeps the books and accepted terms, and deletes the rest. An address
 * that could still undo a change is notified too and becomes free.
 */
export async function closeAccount(deps: Deps, given: PasswordAgain) {
  const again = await askPasswordAgain(deps, given);
  if (!again.ok) return again;
  const { userId } = given;
  const closed = await deps.db.transaction(async (tx) => {
    const locked = await lockVerified(tx, again.value, given.password);
    if (!locked.ok) return locked;
    const user = locked.value;
    if (await hasUndecidedPayment(tx, userId)) return fail('payment-in-progress');
    const undoable = await findUndoableChange(tx, userId);
    const emails = [user.email, ...(undoable ? [undoable.oldEmail] : [])];
    const changeIds = await findChangeIds(tx, userId);
    const toEarlier = await findInvitationsToEarlier(tx, userId);

    await deleteMailRequests(tx, emails);
    // Before their mails: withdrawing an invitation locks it first, then its mail.
    await cancelUnsentInvitations(tx, await emptyInvitations(tx, { userId, emails, toEarlier }));
    await cancelAccountMails(tx, { emails, changeIds });
    await blankMailsLater(tx, { userId, changeIds });
    await endSessionsOf(tx, userId);
    await deleteOwnThings(tx, userId);
    await endLinks(tx, userId);
    await deleteMailTokens(tx, { emails, toEarlier });
    await emptyAccount(tx, { userId, passwordHash: NOBODYS_HASH });
    for (const recipient of emails) {
      await queueMail(tx, {
        kind: 'account-closed',
        recipient,
        content: accountClosedMail(),
        onceKey: `account-closed:${userId}:${recipient === user.email ? 'last' : 'before'}`,
        blankAt: inAMonth,
      });
    }
    return ok(undefined);
  });
  if (!closed.ok) return closed;
  noteEndedSessions(deps);
  deps.log.info({ userId }, 'account closed');
  return ok(undefined);
}
