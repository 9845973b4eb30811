import { type SQL, sql } from 'drizzle-orm';
import type { Queryable } from '../db/client.ts';
import { isAhead, isUnleased, leaseEnd } from '../db/clock/ahead.queries.ts';
import { onlyRow, query } from '../db/query.ts';
import type { MailContent } from '../db/schema/operations.ts';
import { LONGEST_BACK_OFF_SECONDS } from '../jobs/back-off.ts';
import { isMailServerFailing, restEnd } from './mail-server.queries.ts';

export type LeasedMail = {
  id: string;
  kind: string;
  recipient: string;
  content: MailContent;
  /** Without those that ended before the server knew the recipient. */
  attempts: number;
  /** How often the server has permanently refused this mail. */
  refusals: number;
  fence: number;
  ageDays: number;
};

const isDue = sql`
  next_try_at <= (SELECT engine_now()) AND ${isUnleased('lease_until')}`;

/** Whether there is anything to send. */
export async function isMailDue(db: Queryable): Promise<boolean> {
  const rows = await query(db)`
    SELECT id FROM outgoing_mail WHERE next_try_at IS NOT NULL AND ${isDue} ORDER BY next_try_at LIMIT 1`;
  return rows.length > 0;
}

/**
 * Leases the next due mails for a minute, at most so many, skipping leased ones. The fence keeps out an earlier sender.
 * While the mail server doesn't answer, only a probe gets a mail.
 */
export async function leaseDueMails(
  db: Queryable,
  { most, asProbe = false }: { most: number; asProbe?: boolean },
): Promise<LeasedMail[]> {
  return query<LeasedMail>(db)`
    UPDATE outgoing_mail SET
      lease_until = ${leaseEnd}, fence = fence + 1, attempts = attempts + 1
    WHERE id = ANY(ARRAY(
      SELECT id FROM outgoing_mail
       WHERE ${isDue} ${asProbe ? sql`` : sql`AND NOT ${isMailServerFailing}`}
       ORDER BY next_try_at LIMIT ${most} FOR UPDATE SKIP LOCKED))
    RETURNING id, kind, recipient, content, attempts, refusals, fence,
      (extract(epoch FROM engine_now() - created_at) / 86400)::float8 AS "ageDays"`;
}

/** Due for more than a minute and unleased: the senders don't run, or can't keep up. */
export const isLate: SQL = sql`
  next_try_at < (SELECT engine_now()) - interval '60 seconds'
  AND ${isUnleased('lease_until')}`;

/**
 * Mail has waited for a quarter of an hour, and none has gone out in that time: to more than one recipient, or the mail
 * server doesn't answer. So the problem is that server, not a mailbox that is full on a quiet night.
 */
export const isStuck: SQL = sql`(
  (SELECT count(*) > 0 AND (min(recipient) <> max(recipient) OR ${isMailServerFailing}) FROM outgoing_mail
    WHERE next_try_at IS NOT NULL AND created_at < (SELECT engine_now()) - interval '15 minutes')
  -- max() reads one row of the index, whatever the planner estimates.
  AND coalesce((SELECT max(sent_at) FROM outgoing_mail) < engine_now() - interval '15 minutes', true))`;

export async function isMailStuck(db: Queryable): Promise<boolean> {
  return onlyRow(await query<{ isStuck: boolean }>(db)`SELECT ${isStuck} AS "isStuck"`).isStuck;
}

export async function countLateMail(db: Queryable): Promise<number> {
  const rows = await query<{ count: number }>(db)`
    SELECT count(*) AS count FROM outgoing_mail WHERE ${isLate}`;
  return onlyRow(rows).count;
}

const stillOurs = ({ id, fence }: LeasedMail) => sql`id = ${id} AND fence = ${fence}`;

/** Clears the content, as we no longer need its links. */
export async function markMailSent(db: Queryable, mail: LeasedMail): Promise<void> {
  await query(db)`
    UPDATE outgoing_mail SET sent_at = engine_now(), content = '{}', next_try_at = NULL, lease_until = NULL
     WHERE ${stillOurs(mail)}`;
}

/** Gives up on a mail; the row stays for the office to see. */
export async function dropMail(db: Queryable, mail: LeasedMail): Promise<void> {
  await query(db)`
    UPDATE outgoing_mail SET next_try_at = NULL, lease_until = NULL WHERE ${stillOurs(mail)}`;
}

/** Schedules another attempt, unless another sender leased the mail meanwhile. */
export async function postponeMail(
  db: Queryable,
  mail: LeasedMail,
  { seconds, isRefused = false }: { seconds: number; isRefused?: boolean },
): Promise<boolean> {
  const rows = await query(db)`
    UPDATE outgoing_mail SET next_try_at = engine_now() + make_interval(secs => ${seconds}), lease_until = NULL,
           refusals = refusals + ${isRefused ? 1 : 0}
     WHERE ${stillOurs(mail)} RETURNING id`;
  return rows.length > 0;
}

/**
 * Schedules another attempt for the end of the silent server's rest, without counting this one: a server that doesn't hear of the
 * recipient says nothing about the mail.
 */
export async function postponeWithServer(db: Queryable, mail: LeasedMail): Promise<void> {
  await query(db)`
    UPDATE outgoing_mail SET next_try_at = ${restEnd}, lease_until = NULL, attempts = attempts - 1
     WHERE ${stillOurs(mail)}`;
}

/** Makes mails due that wait longer than any does: their waits began before the engine's clock was set back. */
export async function endMailWaitsAhead(db: Queryable): Promise<void> {
  await query(db)`
    UPDATE outgoing_mail SET next_try_at = engine_now()
     WHERE ${isAhead('next_try_at', LONGEST_BACK_OFF_SECONDS)}`;
}
