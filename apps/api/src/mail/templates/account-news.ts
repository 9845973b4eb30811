import type { MailContent } from '../../db/schema/operations.ts';
import { mailLayout } from '../layout.ts';

/** To a user who changed the password while signed in, or by a reset. */
export function passwordChangedMail({ passwordUrl }: { passwordUrl: string }): MailContent {
  return mailLayout({
    subject: 'Your password was changed',
    parts: [
      {
        kind: 'paragraph',
        text: 'The password of your account was changed, and you were signed out everywhere else.',
      },
      { kind: 'paragraph', text: 'If this was not you, choose a new password at once:' },
      { kind: 'button', label: 'Choose a new password', url: passwordUrl },
    ],
  });
}

export function dataDownloadedMail({ passwordUrl }: { passwordUrl: string }): MailContent {
  return mailLayout({
    subject: 'Your data was downloaded',
    parts: [
      { kind: 'paragraph', text: 'Somebody who knows your password downloaded the data of your account.' },
      { kind: 'paragraph', text: 'If this was not you, choose a new password at once:' },
      { kind: 'button', label: 'Choose a new password', url: passwordUrl },
    ],
  });
}

/** To the account's last address, and to the previous one if it could still undo a change. */
export function accountClosedMail(): MailContent {
  return mailLayout({
    subject: 'Your account is closed',
    parts: [
      {
        kind: 'paragraph',
        text: 'Your account and its saved cards are deleted, and you are signed out everywhere.',
      },
      {
        kind: 'paragraph',
        text: 'Payments, receipts and what you agreed to stay in the books. What you still owe, you still owe.',
      },
      {
        kind: 'paragraph',
        text: 'If this was not you, please contact your local office. You can register again at any time.',
      },
    ],
  });
}
