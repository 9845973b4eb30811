import type { MailContent } from '../../db/schema/operations.ts';
import { mailLayout } from '../layout.ts';

/** To the new address of a requested change. */
export function emailChangeMail({ link }: { link: string }): MailContent {
  return mailLayout({
    subject: 'Confirm your new email address',
    parts: [
      {
        kind: 'paragraph',
        text: 'You asked to sign in with this email address from now on. Please confirm that it is yours:',
      },
      { kind: 'button', label: 'Confirm my new address', url: link },
      { kind: 'paragraph', text: 'The link works once, and for 24 hours.' },
      { kind: 'paragraph', text: 'If you did not ask for this, ignore this mail: nothing changes.' },
    ],
  });
}

/** To the new address of a requested change, if it already has an account. */
export function hasAccountMail({ signInUrl }: { signInUrl: string }): MailContent {
  return mailLayout({
    subject: 'You already have an account',
    parts: [
      {
        kind: 'paragraph',
        text: 'Somebody asked to use this email address for another account. It has an account already, so nothing changes.',
      },
      { kind: 'button', label: 'Sign in', url: signInUrl },
      { kind: 'paragraph', text: 'If you did not ask for this, ignore this mail.' },
    ],
  });
}

/** To the previous address, while nothing has changed yet. */
export function emailChangeAskedMail({ newEmail, link }: { newEmail: string; link: string }): MailContent {
  return mailLayout({
    subject: 'Your email address is about to change',
    parts: [
      {
        kind: 'paragraph',
        text: `Somebody signed in to your account asked to use ${newEmail} instead of this address. It changes when the new address is confirmed.`,
      },
      ...undoParts(link),
    ],
  });
}

/** To the previous address, once the account has moved. */
export function emailChangedMail({ newEmail, link }: { newEmail: string; link: string }): MailContent {
  return mailLayout({
    subject: 'Your email address was changed',
    parts: [
      { kind: 'paragraph', text: `Your account is now signed in to with ${newEmail}.` },
      ...undoParts(link),
    ],
  });
}

const undoParts = (link: string) => [
  {
    kind: 'paragraph' as const,
    text: 'If this was not you, somebody knows your password. Undo the change and choose a new one:',
  },
  { kind: 'button' as const, label: 'Undo the change', url: link },
  {
    kind: 'paragraph' as const,
    text: 'The link works until 7 days after the change. It signs your account out everywhere.',
  },
];

/** To both addresses; only the owner's is told what to do next. Unless the change was confirmed, no address has changed. */
export function emailChangedBackMail({
  isOwner,
  wasConfirmed,
}: {
  isOwner: boolean;
  wasConfirmed: boolean;
}): MailContent {
  const owners = wasConfirmed
    ? 'This is the email address of your account again.'
    : 'This is still the email address of your account.';
  const others = wasConfirmed
    ? 'Its previous address has undone that.'
    : 'Its own address has undone that before anything changed.';
  return mailLayout({
    subject: wasConfirmed ? 'Your email address was changed back' : 'Your email address stays as it is',
    parts: [
      {
        kind: 'paragraph',
        text: isOwner
          ? `${owners} It has a new password, and was signed out everywhere.`
          : `Somebody asked to move an account to this email address. ${others}`,
      },
      {
        kind: 'paragraph',
        text: isOwner
          ? 'Your saved cards are still there. Please check your locations and payments.'
          : 'If that account is yours, please contact your local office.',
      },
    ],
  });
}
