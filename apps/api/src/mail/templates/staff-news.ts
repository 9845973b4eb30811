import type { MailContent } from '../../db/schema/operations.ts';
import { mailLayout } from '../layout.ts';

/** Changes to a staff account that its owner or headquarters must hear about. */
export type StaffNews =
  | 'new-network'
  | 'factor-added'
  | 'factor-removed'
  | 'recovery-code-used'
  | 'password-changed'
  | 'factors-reset'
  | 'many-codes'
  | 'added-by-key'
  | 'changed-by-key'
  | 'confirmed-by-key';

const NEWS: Record<StaffNews, { subject: string; own: string; others: (email: string) => string }> = {
  'new-network': {
    subject: 'A sign-in from a new network',
    own: 'Somebody signed in to the office console with your account, for the first time from this network.',
    others: (email) => `${email} signed in from a new network.`,
  },
  'factor-added': {
    subject: 'A second factor was added',
    own: 'A passkey or an authenticator app was added to your account of the office console.',
    others: (email) => `A passkey or an authenticator app was added to the account of ${email}.`,
  },
  'factor-removed': {
    subject: 'A second factor was removed',
    own: 'A passkey or an authenticator app was removed from your account of the office console.',
    others: (email) => `A passkey or an authenticator app was removed from the account of ${email}.`,
  },
  'recovery-code-used': {
    subject: 'A recovery code was used',
    own: 'Somebody signed in to the office console with your account and one of its recovery codes.',
    others: (email) => `A recovery code of ${email} was used.`,
  },
  'password-changed': {
    subject: 'Your password for the office was changed',
    own: 'The password of your account of the office console was changed.',
    others: (email) => `The password of ${email} was changed.`,
  },
  'factors-reset': {
    subject: 'Second factors were reset',
    own: 'All passkeys, apps and recovery codes of your account of the office console were removed. Sign in to make new ones.',
    others: (email) => `All passkeys, apps and recovery codes of ${email} were removed.`,
  },
  'many-codes': {
    subject: 'Many wrong codes',
    own: 'Somebody who knows your password for the office console has entered 30 wrong codes in a day. Choose a new password.',
    others: (email) => `Somebody who knows the password of ${email} has entered 30 wrong codes in a day.`,
  },
  'added-by-key': {
    subject: 'Somebody was added to the office',
    own: 'You were added to the office console by whoever runs the portal.',
    others: (email) => `${email} was added to the office console by whoever runs the portal.`,
  },
  'changed-by-key': {
    subject: 'Somebody’s access to the office was changed',
    own: 'Your access to the office console was changed by whoever runs the portal.',
    others: (email) => `The access of ${email} was changed by whoever runs the portal.`,
  },
  'confirmed-by-key': {
    subject: 'Access was confirmed after a restore',
    own: 'Access to the office console was confirmed, after a restore, by whoever runs the portal.',
    others: (email) => `After a restore, access was confirmed by whoever runs the portal: ${email}.`,
  },
};

export function staffNewsMail({
  email,
  news,
  isOwn,
}: {
  email: string;
  news: StaffNews;
  isOwn: boolean;
}): MailContent {
  const { subject, own, others } = NEWS[news];
  return mailLayout({
    subject,
    parts: [
      { kind: 'paragraph', text: isOwn ? own : others(email) },
      { kind: 'paragraph', text: 'If this should not have happened, tell an owner or headquarters at once.' },
    ],
  });
}
