import type { Queryable } from '../db/client.ts';
import { query } from '../db/query.ts';
import type { MailKind } from './queue-mail.queries.ts';

/** Cancels a payment's unsent mails of one kind, in the caller's transaction. */
export async function cancelUnsentMail(
  tx: Queryable,
  { intentId, kind }: { intentId: string; kind: MailKind },
): Promise<void> {
  await query(tx)`
    UPDATE outgoing_mail SET cancelled_at = engine_now(), next_try_at = NULL, fence = fence + 1
     WHERE intent_id = ${intentId} AND kind = ${kind} AND sent_at IS NULL`;
}
