import { type SQL, sql } from 'drizzle-orm';
import type { Queryable } from '../db/client.ts';
import { listOf, query } from '../db/query.ts';
import type { MailKind } from './queue-mail.queries.ts';

/** Cancels a payment's unsent mails of one kind, in the caller's transaction. */
export async function cancelUnsentMail(
  tx: Queryable,
  { intentId, kind }: { intentId: string; kind: MailKind },
): Promise<void> {
  await cancel(tx, sql`intent_id = ${intentId} AND kind = ${kind}`);
}

/** Cancels the mails queued under these keys that aren't sent yet, in the caller's transaction. */
export async function cancelUnsentMailOf(tx: Queryable, onceKeys: string[]): Promise<void> {
  await cancel(tx, sql`once_key = ANY(${listOf(onceKeys, 'text')})`);
}

/** Cancels the mails of these invitations that are still to be sent, in the caller's transaction. */
export async function cancelUnsentInvitations(tx: Queryable, invitationIds: string[]): Promise<void> {
  await cancel(
    tx,
    sql`next_try_at IS NOT NULL AND kind = 'invitation'
        AND split_part(once_key, ':', 2) = ANY(${listOf(invitationIds, 'text')})`,
  );
}

async function cancel(tx: Queryable, which: SQL): Promise<void> {
  await query(tx)`
    UPDATE outgoing_mail SET cancelled_at = engine_now(), next_try_at = NULL, fence = fence + 1
     WHERE ${which} AND sent_at IS NULL`;
}
