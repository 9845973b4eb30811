import type { Deps } from '../../../deps.ts';
import type { MailToQueue } from '../../../mail/queue-mail.queries.ts';
import {
  emailChangeAskedMail,
  emailChangedBackMail,
  emailChangedMail,
  emailChangeMail,
  hasAccountMail,
} from '../../../mail/templates/email-change.ts';
import { undoLink } from './undo-token.ts';

type Change = { id: string; oldEmail: string; newEmail: string };

/** A change's mails, by recipient and occasion. */
export type EmailChangeMail = 'new' | 'old' | 'changed' | 'back-new' | 'back-old';

/** Makes each mail unique per change. */
export const onceKeyOf = (id: string, mail: EmailChangeMail): string => `email-change:${id}:${mail}`;

/**
 * The mails of a requested change. The new address gets the link, or hears that it already has an account. Both are
 * created the same way, so that nothing reveals which.
 */
export function askedMails(
  deps: Pick<Deps, 'env'>,
  change: Change & { token: string; isTaken: boolean },
): MailToQueue[] {
  const { id, oldEmail, newEmail, token, isTaken } = change;
  const { PUBLIC_URL } = deps.env;
  const link = `${PUBLIC_URL}/mail/email?${new URLSearchParams({ e: newEmail, t: token })}`;
  return [
    {
      kind: isTaken ? 'email-has-account' : 'email-change',
      recipient: newEmail,
      content: isTaken ? hasAccountMail({ signInUrl: `${PUBLIC_URL}/login` }) : emailChangeMail({ link }),
      onceKey: onceKeyOf(id, 'new'),
    },
    {
      kind: 'email-change-asked',
      recipient: oldEmail,
      content: emailChangeAskedMail({ newEmail, link: undoLink(deps, change) }),
      onceKey: onceKeyOf(id, 'old'),
    },
  ];
}

export function changedMail(deps: Pick<Deps, 'env'>, change: Change): MailToQueue {
  return {
    kind: 'email-changed',
    recipient: change.oldEmail,
    content: emailChangedMail({ newEmail: change.newEmail, link: undoLink(deps, change) }),
    onceKey: onceKeyOf(change.id, 'changed'),
  };
}

export function changedBackMails({
  id,
  oldEmail,
  newEmail,
  confirmedAt,
}: Change & { confirmedAt: Date | null }): MailToQueue[] {
  const wasConfirmed = confirmedAt !== null;
  return [
    {
      kind: 'email-changed-back',
      recipient: oldEmail,
      content: emailChangedBackMail({ isOwner: true, wasConfirmed }),
      onceKey: onceKeyOf(id, 'back-old'),
    },
    {
      kind: 'email-changed-back',
      recipient: newEmail,
      content: emailChangedBackMail({ isOwner: false, wasConfirmed }),
      onceKey: onceKeyOf(id, 'back-new'),
    },
  ];
}
