import { and, eq, type SQL, sql } from 'drizzle-orm';
import type { Queryable } from '../db/client.ts';
import { type MailContent, outgoingMail } from '../db/schema/operations.ts';
import { isMailServerFailing } from './mail-server.queries.ts';

export type LeasedMail = {
  id: string;
  kind: string;
  recipient: string;
  content: MailContent;
  attempts: number;
  /** How often the server has permanently refused this mail. */
  refusals: number;
  fence: number;
  ageDays: number;
};

const isDue = sql`
  next_try_at <= (SELECT engine_now()) AND (lease_until IS NULL OR lease_until < (SELECT engine_now()))`;

/** Whether there is anything to send. */
export async function isMailDue(db: Queryable): Promise<boolean> {
  const { rows } = await db.execute(sql`
    SELECT id FROM outgoing_mail WHERE next_try_at IS NOT NULL AND ${isDue} ORDER BY next_try_at LIMIT 1`);
  return rows.length > 0;
}

/**
 * Leases the next due mail for a minute, skipping leased ones. The fence keeps out its earlier sender. While the mail
 * server doesn't answer, only a probe gets a mail.
 */
export async function leaseDueMail(
  db: Queryable,
  { asProbe = false }: { asProbe?: boolean } = {},
): Promise<LeasedMail | undefined> {
  const { rows } = await db.execute<LeasedMail>(sql`
    UPDATE outgoing_mail SET
      lease_until = engine_now() + interval '60 seconds', fence = fence + 1, attempts = attempts + 1
    WHERE id = (
      SELECT id FROM outgoing_mail
       WHERE ${isDue} ${asProbe ? sql`` : sql`AND NOT ${isMailServerFailing}`}
       ORDER BY next_try_at LIMIT 1 FOR UPDATE SKIP LOCKED)
    RETURNING id, kind, recipient, content, attempts, refusals, fence,
      (extract(epoch FROM engine_now() - created_at) / 86400)::float8 AS "ageDays"`);
  return rows[0];
}

/** Due for more than a minute and unleased: the senders don't run, or can't keep up. */
export const isLate: SQL = sql`
  next_try_at < (SELECT engine_now()) - interval '60 seconds'
  AND (lease_until IS NULL OR lease_until < (SELECT engine_now()))`;

/**
 * Mail has waited for a quarter of an hour, and none has gone out in that time. So the problem is our mail server,
 * not a recipient's mailbox.
 */
export const isStuck: SQL = sql`(
  EXISTS (SELECT FROM outgoing_mail
           WHERE next_try_at IS NOT NULL AND created_at < (SELECT engine_now()) - interval '15 minutes')
  -- max() reads one row of the index, whatever the planner estimates.
  AND coalesce((SELECT max(sent_at) FROM outgoing_mail) < engine_now() - interval '15 minutes', true))`;

export async function isMailStuck(db: Queryable): Promise<boolean> {
  const { rows } = await db.execute<{ isStuck: boolean }>(sql`SELECT ${isStuck} AS "isStuck"`);
  return rows[0]?.isStuck ?? false;
}

export async function countLateMail(db: Queryable): Promise<number> {
  return db.$count(outgoingMail, isLate);
}

const stillOurs = (mail: LeasedMail) => and(eq(outgoingMail.id, mail.id), eq(outgoingMail.fence, mail.fence));

/** Clears the content, as we no longer need its links. */
export async function markMailSent(db: Queryable, mail: LeasedMail): Promise<void> {
  await db
    .update(outgoingMail)
    .set({ sentAt: sql`engine_now()`, content: {}, nextTryAt: null, leaseUntil: null })
    .where(stillOurs(mail));
}

/** Gives up on a mail; the row stays for the office to see. */
export async function dropMail(db: Queryable, mail: LeasedMail): Promise<void> {
  await db.update(outgoingMail).set({ nextTryAt: null, leaseUntil: null }).where(stillOurs(mail));
}

/** Schedules another attempt, unless another sender leased the mail meanwhile. */
export async function postponeMail(
  db: Queryable,
  mail: LeasedMail,
  { seconds, isRefused = false }: { seconds: number; isRefused?: boolean },
): Promise<boolean> {
  const rows = await db
    .update(outgoingMail)
    .set({
      nextTryAt: sql`engine_now() + make_interval(secs => ${seconds})`,
      leaseUntil: null,
      ...(isRefused && { refusals: sql`${outgoingMail.refusals} + 1` }),
    })
    .where(stillOurs(mail))
    .returning({ id: outgoingMail.id });
  return rows.length > 0;
}
