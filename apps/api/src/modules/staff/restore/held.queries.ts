import { sql } from 'drizzle-orm';
import type { Queryable } from '../../../db/client.ts';
import { query } from '../../../db/query.ts';

/** Releases the person with this email, or everybody held. Returns how many. */
export async function letIn(tx: Queryable, email: string | null): Promise<number> {
  const named = email === null ? sql`` : sql`AND user_id = (SELECT id FROM app_user WHERE email = ${email})`;
  const rows = await query(tx)`
    UPDATE staff SET held_at = NULL WHERE held_at IS NOT NULL ${named} RETURNING id`;
  return rows.length;
}

/** Releases the key with this public id, or every key held. Returns how many. */
export async function letKeysIn(tx: Queryable, publicId: string | null): Promise<number> {
  const named = publicId === null ? sql`` : sql`AND public_id = ${publicId}`;
  const rows = await query(tx)`
    UPDATE office_api_key SET held_at = NULL
     WHERE held_at IS NOT NULL AND revoked_at IS NULL ${named} RETURNING id`;
  return rows.length;
}
