import { desc, eq, type SQL, sql } from 'drizzle-orm';
import type { Queryable } from '../../../db/client.ts';
import { emailChange } from '../../../db/schema/people.ts';
import { addressesOf } from '../addresses-of.queries.ts';

/** "2026-11-22": today in UTC, as no franchise's time zone applies to a person. */
export async function readDay(db: Queryable): Promise<string> {
  const { rows } = await db.execute<{ day: string }>(
    sql`SELECT to_char(engine_now() AT TIME ZONE 'UTC', 'YYYY-MM-DD') AS day`,
  );
  return rows[0]?.day ?? '';
}

/** Every requested change of address, latest first. */
export function selectEmailChanges(db: Queryable, userId: string) {
  return db
    .select({
      oldEmail: emailChange.oldEmail,
      newEmail: emailChange.newEmail,
      askedAt: emailChange.askedAt,
      confirmedAt: emailChange.confirmedAt,
      cancelledAt: emailChange.cancelledAt,
      undoneAt: emailChange.undoneAt,
    })
    .from(emailChange)
    .where(eq(emailChange.userId, userId))
    .orderBy(desc(emailChange.askedAt), emailChange.id);
}

export type OwnMail = { kind: string; recipient: string; queuedAt: string; sentAt: string | null };

/**
 * Mail to the account's addresses while they were its own. Leaves out unconfirmed addresses: the kind of mail would
 * reveal whether the address has an account.
 */
export const mailsOf = (userId: string): SQL => sql`
  SELECT m.kind, m.recipient, m.created_at AS "queuedAt", m.sent_at AS "sentAt"
    FROM ${addressesOf(userId)} AS own
    JOIN outgoing_mail m ON m.recipient = own.address AND m.created_at BETWEEN own.since AND own.until
   ORDER BY m.created_at DESC, m.id`;
