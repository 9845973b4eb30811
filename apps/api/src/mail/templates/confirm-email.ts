import type { MailContent } from '../../db/schema/operations.ts';
import { mailLayout } from '../layout.ts';

/** To whoever registered with an address: shows that it is theirs. */
export function confirmEmailMail({ link }: { link: string }): MailContent {
  return mailLayout({
    subject: 'Please confirm your email address',
    parts: [
      { kind: 'paragraph', text: 'Thanks for signing up. Please confirm that this is your email address.' },
      { kind: 'button', label: 'Confirm email address', url: link },
      { kind: 'paragraph', text: 'The link works for 24 hours.' },
      { kind: 'paragraph', text: 'If you did not sign up, do not open the link; nothing else will happen.' },
    ],
  });
}
