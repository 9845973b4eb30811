import type { Queryable } from '../../../db/client.ts';
import { query } from '../../../db/query.ts';

/**
 * Signs all staff out and holds every account and every office's API key until somebody confirms it: a restored
 * database doesn't know who left or which keys were revoked since the backup.
 */
export async function holdAccess(tx: Queryable): Promise<void> {
  await query(tx)`
    WITH noticed AS (INSERT INTO restore_notice DEFAULT VALUES),
    ended AS (UPDATE office_session SET ended_at = engine_now(), end_reason = 'restored' WHERE ended_at IS NULL),
    keys AS (UPDATE office_api_key SET held_at = engine_now()
              WHERE key_hash IS NOT NULL AND revoked_at IS NULL AND held_at IS NULL)
    UPDATE staff SET held_at = engine_now() WHERE held_at IS NULL`;
}

/** Whether a noticed restore hasn't been acknowledged. */
export async function isAccessHeld(tx: Queryable): Promise<boolean> {
  const rows = await query(tx)`SELECT FROM restore_notice WHERE acknowledged_at IS NULL LIMIT 1`;
  return rows.length > 0;
}
