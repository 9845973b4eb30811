import { sql } from 'drizzle-orm';
import type { Queryable } from '../db/client.ts';
import { listOf, query } from '../db/query.ts';

export type SealedRow = { table: 'merchant_account' | 'payment_method' | 'staff_factor'; id: string };

/** Returns whether the row wasn't known yet. */
export async function insertUnreadableSecret(db: Queryable, { table, id }: SealedRow): Promise<boolean> {
  const rows = await query(db)`
    INSERT INTO unreadable_secret (table_name, row_id) VALUES (${table}, ${id})
    ON CONFLICT DO NOTHING RETURNING row_id`;
  return rows.length > 0;
}

export async function deleteUnreadableSecrets(
  db: Queryable,
  { table, ids }: { table: SealedRow['table']; ids: readonly string[] },
): Promise<void> {
  await query(db)`
    DELETE FROM unreadable_secret
     WHERE table_name = ${table} AND row_id = ANY(${listOf(ids, 'text')})`;
}

/**
 * Unreadable rows that still matter: cards and staff's apps that are still there, and merchant accounts in use or with
 * unfinished charges. At most a hundred.
 */
export async function listUnreadableSecrets(db: Queryable): Promise<string[]> {
  const rows = await query<{ name: string }>(db)`
    SELECT concat(table_name, ' ', row_id) AS name FROM unreadable_secret WHERE ${stillMatters}
     ORDER BY table_name, noticed_at, row_id LIMIT 100`;
  return rows.map(({ name }) => name);
}

/** A condition on rows of `unreadable_secret`. */
export const stillMatters = sql`
  CASE table_name
    WHEN 'payment_method' THEN EXISTS (SELECT FROM payment_method WHERE id = unreadable_secret.row_id::uuid)
    WHEN 'staff_factor' THEN EXISTS (
      SELECT FROM staff_factor WHERE id = unreadable_secret.row_id::uuid AND removed_at IS NULL)
    ELSE row_id IN (SELECT id::text FROM merchant_account WHERE replaced_at IS NULL
                    UNION ALL SELECT merchant_account_id::text FROM charge WHERE next_try_at IS NOT NULL)
  END`;
