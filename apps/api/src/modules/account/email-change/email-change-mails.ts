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

/** A change's mails, by whom they are for and when. */
export type EmailChangeMail = 'new' | 'old' | 'changed' | 'back-new' | 'back-old';

/** Each exists once. */
export const onceKeyOf = (id: string, mail: EmailChangeMail): string => `email-change:${id}:${mail}`;

/** To the new address: the link, or that it has an account. Both are made alike, so that nothing tells which. */
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

export function changedBackMails({ id, oldEmail, newEmail }: Change): MailToQueue[] {
  return [
    {
      kind: 'email-changed-back',
      recipient: oldEmail,
      content: emailChangedBackMail({ isOwner: true }),
      onceKey: onceKeyOf(id, 'back-old'),
    },
    {
      kind: 'email-changed-back',
      recipient: newEmail,
      content: emailChangedBackMail({ isOwner: false }),
      onceKey: onceKeyOf(id, 'back-new'),
    },
  ];
}
