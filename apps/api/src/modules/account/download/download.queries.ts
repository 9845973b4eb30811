import { type SQL, sql } from 'drizzle-orm';
import type { Queryable } from '../../../db/client.ts';
import { onlyRow, query } from '../../../db/query.ts';
import { addressesOf } from '../addresses-of.queries.ts';
import type { EmailChange } from '../email-change/email-change.queries.ts';
import { onceKeyOf } from '../email-change/email-change-mails.ts';

/** "2026-11-22": today in UTC, as no franchise's time zone applies to a person. */
export async function readDay(db: Queryable): Promise<string> {
  const row = onlyRow(
    await query<{ day: string }>(db)`
    SELECT to_char(engine_now() AT TIME ZONE 'UTC', 'YYYY-MM-DD') AS day`,
  );
  return row.day;
}

/** Every requested change of address, latest first. */
export async function selectEmailChanges(
  db: Queryable,
  userId: string,
): Promise<Omit<EmailChange, 'id' | 'userId' | 'confirmHash'>[]> {
  return query<Omit<EmailChange, 'id' | 'userId' | 'confirmHash'>>(db)`
    SELECT old_email AS "oldEmail", new_email AS "newEmail", asked_at AS "askedAt", confirmed_at AS "confirmedAt",
           cancelled_at AS "cancelledAt", undone_at AS "undoneAt"
      FROM email_change WHERE user_id = ${userId} ORDER BY asked_at DESC, id`;
}

export type OwnMail = { kind: string; recipient: string; queuedAt: Date; sentAt: Date | null };

/**
 * Mail to the account's addresses while they were its own, and the links that made them so. Leaves out unconfirmed
 * addresses: the kind of mail would reveal whether the address has an account.
 */
export const mailsOf = (userId: string): SQL => sql`
  SELECT m.kind, m.recipient, m.created_at AS "queuedAt", m.sent_at AS "sentAt"
    FROM ${addressesOf(userId)} AS own
    JOIN outgoing_mail m ON m.recipient = own.address
     AND (m.created_at BETWEEN own.since AND own.until
          OR m.once_key = replace(${onceKeyOf('?', 'new')}, '?', own.change_id::text))
   ORDER BY m.created_at DESC, m.id`;
