import { type SQL, sql } from 'drizzle-orm';
import type { Queryable } from '../db/client.ts';
import { onlyRow, query } from '../db/query.ts';
import type { SealedRow } from './unreadable-secrets.queries.ts';

/** Counts the secrets that were not sealed under the newest data key; unreadable ones are counted elsewhere. */
export async function countStaleSecrets(
  db: Queryable,
  { newestPrefix }: { newestPrefix: string },
): Promise<number> {
  // Two ranges, so that the index on cards finds the few that differ.
  const isStale = (column: string): SQL => {
    const prefix = sql.raw(`left(${column}, ${newestPrefix.length})`);
    return sql`(${prefix} < ${newestPrefix} OR ${prefix} > ${newestPrefix})`;
  };
  const isReadable = (table: SealedRow['table']): SQL => sql`
    NOT EXISTS (SELECT FROM unreadable_secret u WHERE u.table_name = ${table} AND u.row_id = s.id::text)`;
  const row = onlyRow(
    await query<{ stale: number }>(db)`
    SELECT (SELECT count(*) FROM payment_method s
             WHERE ${isStale('card_token')} AND ${isReadable('payment_method')})::integer
         + (SELECT count(*) FROM merchant_account s
             WHERE (${isStale('api_key')} OR ${isStale('pin')}) AND ${isReadable('merchant_account')})::integer
         + (SELECT count(*) FROM staff_factor s
             WHERE removed_at IS NULL AND ${isStale('totp_secret')} AND ${isReadable('staff_factor')})::integer AS stale`,
  );
  return row.stale;
}
