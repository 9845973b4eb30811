import type { MailContent } from '../../db/schema/operations.ts';
import { mailLayout } from '../layout.ts';

/** To a staff member for whom a new password was requested, by themselves or somebody else. */
export function officeResetMail({ link }: { link: string }): MailContent {
  return mailLayout({
    subject: 'Reset your password for the office',
    parts: [
      { kind: 'paragraph', text: 'You asked for a new password for the office console. Choose it here:' },
      { kind: 'button', label: 'Choose a new password', url: link },
      {
        kind: 'paragraph',
        text: 'The link works once, and for one hour. You will still be asked for your second factor.',
      },
      {
        kind: 'paragraph',
        text: 'If you did not ask for this, ignore this mail: your password stays as it is.',
      },
    ],
  });
}
