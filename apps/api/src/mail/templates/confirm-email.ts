import type { MailContent } from '../../db/schema/operations.ts';
import { mailLayout } from '../layout.ts';

/** To a newly registered address, to prove that it is the user's. */
export function confirmEmailMail({ link }: { link: string }): MailContent {
  return mailLayout({
    subject: 'Please confirm your email address',
    parts: [
      {
        kind: 'paragraph',
        text: 'Thanks for signing up. Open this page and press Confirm my email to show that this is your address.',
      },
      { kind: 'button', label: 'Confirm email address', url: link },
      { kind: 'paragraph', text: 'The link works for 24 hours, and only the newest one does.' },
      {
        kind: 'paragraph',
        text: 'If you did not sign up, somebody else typed your address. Ignore this mail: what they made ends by itself.',
      },
    ],
  });
}
