import type { MailContent } from '../../db/schema/operations.ts';
import { mailLayout } from '../layout.ts';

/** To one of the staff who, or somebody else for whom, asked for a new password. */
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
