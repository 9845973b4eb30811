import { sql } from 'drizzle-orm';
import type { Queryable } from '../../../db/client.ts';
import { listOf, query } from '../../../db/query.ts';
import { inBatches } from '../../../db/statements/in-batches.ts';
import { inAMonth } from '../../../mail/queue-mail.queries.ts';
import { forgetAddresses } from '../../auth/users/users.queries.ts';
import { dropWaitingOffer } from '../../auth/users/waiting-offers.queries.ts';
import { addressesOf } from '../addresses-of.queries.ts';
import type { SentInvitation } from '../earlier-invitations.queries.ts';
import { type EmailChangeMail, onceKeyOf } from '../email-change/email-change-mails.ts';

/** Call with the account locked; a payment takes the same lock before it begins. */
export async function hasUndecidedPayment(tx: Queryable, userId: string): Promise<boolean> {
  const rows = await query(tx)`
    SELECT FROM payment_intent WHERE user_id = ${userId} AND state = 'undecided' LIMIT 1`;
  return rows.length > 0;
}

/** Mails about the account itself, pointless once it is closed. */
const ACCOUNT_MAILS = [
  'confirm-email',
  'reset-password',
  'email-change-asked',
  'email-changed',
  'email-changed-back',
  'password-changed',
  'data-downloaded',
  'location-linked',
];
const CHANGE_MAILS: EmailChangeMail[] = ['new', 'old', 'changed', 'back-new', 'back-old'];
const onceKeysOf = (changeIds: string[]) =>
  changeIds.flatMap((id) => CHANGE_MAILS.map((mail) => onceKeyOf(id, mail)));

/** Cancels unsent mails about the account and its changes of address. */
export async function cancelAccountMails(
  tx: Queryable,
  { emails, changeIds }: { emails: string[]; changeIds: string[] },
): Promise<void> {
  await query(tx)`
    UPDATE outgoing_mail SET cancelled_at = engine_now(), content = '{}', next_try_at = NULL, fence = fence + 1
     WHERE sent_at IS NULL AND next_try_at IS NOT NULL
       AND ((recipient = ANY(${listOf(emails, 'text')}) AND kind = ANY(${listOf(ACCOUNT_MAILS, 'text')}))
            OR once_key = ANY(${listOf(onceKeysOf(changeIds), 'text')}))`;
}

/** Mails that an address may get before it has an account. They are the account's if nobody else had the address since. */
const EARLIER_MAILS = ['invitation', 'confirm-email', 'reset-password', 'email-has-account'];

/** Schedules the account's mails to be blanked a month from now, unless they are blanked before. */
export async function blankMailsLater(
  tx: Queryable,
  { userId, changeIds }: { userId: string; changeIds: string[] },
): Promise<void> {
  await query(tx)`
    UPDATE outgoing_mail m SET blank_at = coalesce(m.blank_at, ${inAMonth})
      FROM ${addressesOf(userId)} AS own
     WHERE m.recipient = own.address AND m.created_at <= own.until
       AND (m.created_at >= own.since
            OR (m.created_at >= own.free_since AND m.kind = ANY(${listOf(EARLIER_MAILS, 'text')})))`;
  await query(tx)`
    UPDATE outgoing_mail SET blank_at = ${inAMonth} WHERE once_key = ANY(${listOf(onceKeysOf(changeIds), 'text')})`;
}

/** Removes recipient and content of mails that are due to be blanked; one that was given up still has its links. */
export async function blankOldMails(db: Queryable): Promise<void> {
  const isDue = sql`blank_at <= (SELECT engine_now()) AND next_try_at IS NULL`;
  await inBatches(async (most) => {
    const blanked = await query(db)`
      UPDATE outgoing_mail SET recipient = '', content = '{}', blank_at = NULL
       WHERE ${isDue} AND id = ANY(ARRAY(
         SELECT id FROM outgoing_mail WHERE ${isDue} ORDER BY blank_at LIMIT ${most}))
      RETURNING 1`;
    return blanked.length;
  });
}

export async function findChangeIds(tx: Queryable, userId: string): Promise<string[]> {
  const rows = await query<{ id: string }>(tx)`SELECT id FROM email_change WHERE user_id = ${userId}`;
  return rows.map(({ id }) => id);
}

/** Deletes what only the account itself used. */
export async function deleteOwnThings(tx: Queryable, userId: string): Promise<void> {
  await query(tx)`DELETE FROM payment_method WHERE user_id = ${userId}`;
  await forgetAddresses(tx, userId);
  await query(tx)`DELETE FROM email_change WHERE user_id = ${userId}`;
  await dropWaitingOffer(tx, userId);
}

/** Call before canceling mails: waits for a request that is being answered, whose mail is canceled then. */
export async function deleteMailRequests(tx: Queryable, emails: string[]): Promise<void> {
  await query(tx)`DELETE FROM mail_request WHERE email = ANY(${listOf(emails, 'text')})`;
}

/** Deletes all links to the account's addresses, and those of emptied invitations to earlier ones. */
export async function deleteMailTokens(
  tx: Queryable,
  { emails, toEarlier }: { emails: string[]; toEarlier: SentInvitation[] },
): Promise<void> {
  const [ids, addresses] = [toEarlier.map(({ id }) => id), toEarlier.map(({ email }) => email)];
  await query(tx)`
    DELETE FROM mail_token
     WHERE email = ANY(${listOf(emails, 'text')})
        OR (email = ANY(${listOf(addresses, 'text')}) AND invitation_id = ANY(${listOf(ids, 'uuid')}))`;
}

/** Hides all locations from the account; terms accepted for them stay on record. */
export async function endLinks(tx: Queryable, userId: string): Promise<void> {
  await query(tx)`
    UPDATE user_location SET hidden_at = engine_now() WHERE user_id = ${userId} AND hidden_at IS NULL`;
  await query(tx)`
    UPDATE user_customer SET ended_at = engine_now() WHERE user_id = ${userId} AND ended_at IS NULL`;
}

/**
 * Replaces the address in invitations that the account accepted or was sent, and withdraws pending ones. Numbers
 * several for one customer, so that they stay distinct. Returns them all.
 */
export async function emptyInvitations(
  tx: Queryable,
  { userId, emails, toEarlier }: { userId: string; emails: string[]; toEarlier: SentInvitation[] },
): Promise<string[]> {
  const earlierIds = toEarlier.map(({ id }) => id);
  const emptied = await query<{ id: string }>(tx)`
    WITH own AS (
      SELECT id, row_number() OVER (PARTITION BY customer_id, accepted_at IS NULL ORDER BY created_at, id) AS place
        FROM invitation
       WHERE accepted_by = ${userId}
          OR (accepted_at IS NULL AND email = ANY(${listOf(emails, 'text')}))
          OR (accepted_at IS NULL AND id = ANY(${listOf(earlierIds, 'uuid')})))
    UPDATE invitation i SET
      email = 'closed-' || ${userId}::text || CASE WHEN own.place > 1 THEN '-' || own.place ELSE '' END || '@invalid',
      withdrawn_at = CASE WHEN accepted_at IS NULL THEN coalesce(withdrawn_at, engine_now()) ELSE withdrawn_at END
      FROM own WHERE own.id = i.id
    RETURNING i.id`;
  return emptied.map(({ id }) => id);
}

/** Leaves a row for payments to point to, which no password opens. */
export async function emptyAccount(
  tx: Queryable,
  { userId, passwordHash }: { userId: string; passwordHash: string },
): Promise<void> {
  await query(tx)`
    UPDATE app_user SET active = false, first_name = '', last_name = '', password_hash = ${passwordHash},
           email = 'closed-' || id::text || '@invalid', closed_at = engine_now()
     WHERE id = ${userId}`;
}
