import type { SQL } from 'drizzle-orm';
import type { Queryable } from '../db/client.ts';
import { type MailContent, outgoingMail } from '../db/schema/operations.ts';
import { executePrepared } from '../db/statements/execute-prepared.ts';
import { wake } from '../jobs/wake.ts';

/** What a mail is about: names its template, and what an operator reads in the status. */
export type MailKind =
  | 'confirm-email'
  | 'reset-password'
  | 'office-reset'
  | 'staff-invitation'
  | 'staff-news'
  | 'invitation'
  | 'email-change'
  | 'email-change-asked'
  | 'email-has-account'
  | 'email-changed'
  | 'email-changed-back'
  | 'password-changed'
  | 'data-downloaded'
  | 'account-closed'
  | 'location-linked'
  | 'payment-receipt'
  | 'capture-failed'
  | 'credit-note'
  | 'refund-made'
  | 'refund-undone'
  | 'refund-ended'
  | 'refund-to-approve'
  | 'overpaid';

export type MailToQueue = {
  /** Where somebody has to know it; made otherwise. */
  id?: string;
  kind: MailKind;
  recipient: string;
  content: MailContent;
  intentId?: string;
  refundId?: string;
  /** Under which it exists once, however often it is queued. */
  onceKey?: string;
  /** When its recipient is forgotten. */
  blankAt?: SQL;
};

/** Writes a mail in the caller's transaction: it is sent if and only if that commits. */
export async function queueMail(tx: Queryable, mail: MailToQueue): Promise<void> {
  const insert = tx.insert(outgoingMail).values(mail).onConflictDoNothing({ target: outgoingMail.onceKey });
  await executePrepared(tx, insert.getSQL());
  wake(tx, 'deliver-mail');
}
