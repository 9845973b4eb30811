import { sql } from 'drizzle-orm';
import type { Queryable } from '../../../db/client.ts';
import { query } from '../../../db/query.ts';

/**
 * Signs all staff out and holds every account and every office's API key until somebody confirms it: a restored
 * database doesn't know who left or which keys were revoked since the backup. Remembers the epoch that begins with it.
 * Payers' sessions from before the notice are over (`isLive` in `sessions.queries.ts`).
 */
export async function holdAccess(tx: Queryable, { publicUrl }: { publicUrl: string }): Promise<void> {
  await query(tx)`
    WITH noticed AS (
      INSERT INTO restore_notice (epoch) VALUES ((SELECT epoch FROM books_epoch WHERE public_url = ${publicUrl}))),
    ended AS (UPDATE office_session SET ended_at = engine_now(), end_reason = 'restored' WHERE ended_at IS NULL),
    keys AS (UPDATE office_api_key SET held_at = engine_now()
              WHERE key_hash IS NOT NULL AND revoked_at IS NULL AND held_at IS NULL)
    UPDATE staff SET held_at = engine_now() WHERE held_at IS NULL`;
}

/** How many people wait until somebody confirms them. Whoever is switched off stays out, confirmed or not. */
export const heldPeople = sql`(SELECT count(*)::integer FROM staff WHERE held_at IS NOT NULL AND state <> 'off')`;

/** How many keys of offices wait until somebody confirms them. */
export const heldKeys = sql`
  (SELECT count(*)::integer FROM office_api_key WHERE held_at IS NOT NULL AND revoked_at IS NULL)`;

/** Lets the hold of the epoch before cover the one that has begun, too: lists may still show more of the same restore. */
export async function carryHoldOn(tx: Queryable, { publicUrl }: { publicUrl: string }): Promise<void> {
  await query(tx)`
    INSERT INTO restore_notice (epoch, continues)
    SELECT epoch, (SELECT coalesce(continues, id) FROM restore_notice ORDER BY id DESC LIMIT 1) FROM books_epoch
     WHERE public_url = ${publicUrl}`;
}

/**
 * Whether the restore that this account's list shows is the one for which this epoch began with a hold. Once the
 * account's look was confirmed, the list shows a newer one. Without an account, whether this epoch began with a hold.
 */
export async function isAccessHeldFor(
  tx: Queryable,
  { publicUrl, epoch, accountId }: { publicUrl: string; epoch: string; accountId: number | null },
): Promise<boolean> {
  const rows = await query(tx)`
    SELECT FROM restore_notice n
     WHERE n.epoch = ${epoch}::uuid
       AND NOT EXISTS (SELECT FROM account_look l
                        WHERE l.public_url = ${publicUrl} AND l.merchant_account_id = ${accountId}::bigint
                          AND l.epoch = n.epoch AND l.confirm_at IS NULL)
     LIMIT 1`;
  return rows.length > 0;
}
