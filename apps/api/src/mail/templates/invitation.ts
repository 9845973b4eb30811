import type { MailContent } from '../../db/schema/operations.ts';
import { mailLayout } from '../layout.ts';

/** To a person whom an office invites to a customer. `link` leads to signing up. */
export function invitationMail({
  franchiseName,
  customerName,
  link,
}: {
  franchiseName: string;
  customerName: string;
  link: string;
}): MailContent {
  return mailLayout({
    subject: `${franchiseName} invites you to pay online`,
    parts: [
      {
        kind: 'paragraph',
        text: `${franchiseName} invites you to see and pay the invoices of ${customerName} online.`,
      },
      { kind: 'button', label: 'Accept the invitation', url: link },
      { kind: 'paragraph', text: 'The link works once, and for 14 days.' },
      { kind: 'paragraph', text: 'If you do not know who this is from, ignore this mail.' },
    ],
  });
}

/** To an invited person who already has an account, where the invitation waits. */
export function invitationToAccountMail({
  franchiseName,
  customerName,
  signInLink,
}: {
  franchiseName: string;
  customerName: string;
  signInLink: string;
}): MailContent {
  return mailLayout({
    subject: `${franchiseName} invites you to pay online`,
    parts: [
      {
        kind: 'paragraph',
        text: `${franchiseName} invites you to see and pay the invoices of ${customerName} with the account that you have.`,
      },
      { kind: 'paragraph', text: 'Sign in and accept the invitation at the top of your invoices.' },
      { kind: 'button', label: 'Sign in', url: signInLink },
      { kind: 'paragraph', text: 'The invitation waits for 14 days.' },
    ],
  });
}
