import { sql } from 'drizzle-orm';
import type { Queryable } from '../../../db/client.ts';
import { isAhead } from '../../../db/clock/ahead.queries.ts';
import { query } from '../../../db/query.ts';

const LEASE_SECONDS = 5 * 60;
const leaseEnd = sql`engine_now() + make_interval(secs => ${LEASE_SECONDS})`;

/** Leases the comparison that a restore requires, unless another worker has it. */
export async function leaseComparison(db: Queryable, { publicUrl }: { publicUrl: string }): Promise<boolean> {
  const rows = await query(db)`
    UPDATE deployment SET comparing_until = ${leaseEnd}
     WHERE public_url = ${publicUrl} AND restore_noticed_at IS NOT NULL
       AND (comparing_until IS NULL OR comparing_until < engine_now() OR ${isAhead('comparing_until', LEASE_SECONDS)})
    RETURNING public_url`;
  return rows.length > 0;
}

export async function renewComparison(db: Queryable, { publicUrl }: { publicUrl: string }): Promise<void> {
  await query(db)`
    UPDATE deployment SET comparing_until = ${leaseEnd} WHERE public_url = ${publicUrl}`;
}

/** Ends the lease, so the next comparison may begin at once. */
export async function leaveComparison(db: Queryable, { publicUrl }: { publicUrl: string }): Promise<void> {
  await query(db)`UPDATE deployment SET comparing_until = NULL WHERE public_url = ${publicUrl}`;
}

/** Whether every account's list was read in full in the epoch that the restore began, or waits by itself until it can be. */
const areAllCompared = (publicUrl: string) => sql`
  NOT EXISTS (
    SELECT FROM merchant_account m
      JOIN books_epoch e ON e.public_url = ${publicUrl}
      LEFT JOIN account_look l
        ON l.public_url = e.public_url AND l.merchant_account_id = m.id
           AND (l.epoch = e.epoch OR l.unread_since IS NOT NULL)
     WHERE l.merchant_account_id IS NULL)`;

export async function isCompared(db: Queryable, { publicUrl }: { publicUrl: string }): Promise<boolean> {
  const rows = await query(db)`SELECT WHERE ${areAllCompared(publicUrl)}`;
  return rows.length > 0;
}

/** Ends this deployment's restore if every account is compared; returns whether it did. */
export async function endRestore(db: Queryable, { publicUrl }: { publicUrl: string }): Promise<boolean> {
  const rows = await query(db)`
    UPDATE deployment d SET restore_noticed_at = NULL, compare_since = NULL
     WHERE d.public_url = ${publicUrl} AND ${areAllCompared(publicUrl)}
    RETURNING public_url`;
  return rows.length > 0;
}

/** Accounts that the restore left out: they stay closed. */
export async function listUnreadAccounts(
  db: Queryable,
  { publicUrl }: { publicUrl: string },
): Promise<number[]> {
  const rows = await query<{ accountId: number }>(db)`
    SELECT merchant_account_id AS "accountId" FROM account_look
     WHERE public_url = ${publicUrl} AND unread_since IS NOT NULL ORDER BY 1`;
  return rows.map(({ accountId }) => accountId);
}

/** When the restore was noticed: a list read earlier may lack the last payments. */
export async function findNoticedAt(db: Queryable, { publicUrl }: { publicUrl: string }): Promise<Date> {
  const rows = await query<{ at: number }>(db)`
    SELECT extract(epoch FROM coalesce(restore_noticed_at, engine_now()))::float8 * 1000 AS at
      FROM deployment WHERE public_url = ${publicUrl}`;
  const [noticed] = rows;
  if (!noticed) throw new Error(`no deployment at ${publicUrl}`);
  return new Date(noticed.at);
}
