import { type SQL, sql } from 'drizzle-orm';
import type { Queryable } from '../db/client.ts';
import { query } from '../db/query.ts';
import type { MailContent } from '../db/schema/operations.ts';
import { wake } from '../jobs/wake.ts';

/** A mail's kind: names its template, and is shown to operators in the status. */
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
  /** Given if the caller needs to know it; otherwise generated. */
  id?: string;
  kind: MailKind;
  recipient: string;
  content: MailContent;
  intentId?: string;
  refundId?: string | undefined;
  /** Whose people typed the recipient. */
  franchiseId?: number | null;
  /** A mail with this key is queued only once. */
  onceKey?: string;
  /** When its recipient is erased. */
  blankAt?: SQL;
};

/** How long a closed account's mails keep their recipient. */
const CLOSED_DAYS = 30;

export const inAMonth: SQL = sql`engine_now() + make_interval(days => ${CLOSED_DAYS})`;

/** Queues a mail in the caller's transaction: it is sent if and only if that commits. */
export async function queueMail(tx: Queryable, mail: MailToQueue): Promise<void> {
  const { id = null, intentId = null, refundId = null, franchiseId = null, onceKey = null } = mail;
  await query(tx, { plan: 'once' })`
    INSERT INTO outgoing_mail (id, kind, recipient, content, intent_id, refund_id, franchise_id, once_key, blank_at)
    VALUES (coalesce(${id}::uuid, gen_random_uuid()), ${mail.kind}, ${mail.recipient}, ${JSON.stringify(mail.content)},
            ${intentId}, ${refundId}, ${franchiseId}::integer, ${onceKey}, ${mail.blankAt ?? sql`NULL`})
    ON CONFLICT (once_key) DO NOTHING`;
  wake(tx, 'deliver-mail');
}
