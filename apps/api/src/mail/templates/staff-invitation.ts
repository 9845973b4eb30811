import type { MailContent } from '../../db/schema/operations.ts';
import { mailLayout } from '../layout.ts';

/** To a new staff member, or one who has to make a new second factor. */
export function staffInvitationMail({ link }: { link: string }): MailContent {
  return mailLayout({
    subject: 'Your access to the office',
    parts: [
      { kind: 'paragraph', text: 'Choose a password and a second factor for the office console here:' },
      { kind: 'button', label: 'Set up your access', url: link },
      { kind: 'paragraph', text: 'The link works once, and for 72 hours.' },
      { kind: 'paragraph', text: 'If you do not work here, ignore this mail.' },
    ],
  });
}
