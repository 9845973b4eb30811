import type { MailContent } from '../../db/schema/operations.ts';
import { mailLayout } from '../layout.ts';

/** To an account for which a new password was requested, by its owner or somebody else. */
export function resetPasswordMail({ link }: { link: string }): MailContent {
  return mailLayout({
    subject: 'Reset your password',
    parts: [
      { kind: 'paragraph', text: 'You asked for a new password. Choose it here:' },
      { kind: 'button', label: 'Choose a new password', url: link },
      {
        kind: 'paragraph',
        text: 'The link works once, and for one hour. Your new password signs you out everywhere.',
      },
      {
        kind: 'paragraph',
        text: 'If you did not ask for this, ignore this mail: your password stays as it is.',
      },
    ],
  });
}
