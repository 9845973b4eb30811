import { type SQL, sql } from 'drizzle-orm';
import { ADVISORY_LOCKS } from '../../../db/advisory-locks.ts';
import type { Queryable } from '../../../db/client.ts';

/** Begins to read as of now, for as long as an export takes. False where the caller has another one under way. */
export async function beginExport(db: Queryable, { actorId }: { actorId: string }): Promise<boolean> {
  await db.execute(sql`SET idle_in_transaction_session_timeout = '10min'`);
  // All rows are wanted, not the first ones soon.
  await db.execute(sql`SET cursor_tuple_fraction = 1`);
  const { rows } = await db.execute<{ isFree: boolean }>(
    sql`SELECT pg_try_advisory_lock(${ADVISORY_LOCKS.exports}, hashtext(${actorId})) AS "isFree"`,
  );
  if (!rows[0]?.isFree) return false;
  await db.execute(sql`BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY`);
  return true;
}

export async function countRows(db: Queryable, statement: SQL): Promise<number> {
  const { rows } = await db.execute<{ count: number }>(
    sql`SELECT count(*) AS count FROM (${statement}) AS exported`,
  );
  return rows[0]?.count ?? 0;
}

export async function openCursor(db: Queryable, statement: SQL): Promise<void> {
  await db.execute(sql`DECLARE exported NO SCROLL CURSOR FOR ${statement}`);
}

export async function fetchRows<Row extends Record<string, unknown>>(
  db: Queryable,
  count: number,
): Promise<Row[]> {
  const { rows } = await db.execute<Row>(sql`FETCH FORWARD ${sql.raw(String(count))} FROM exported`);
  return rows as Row[];
}
