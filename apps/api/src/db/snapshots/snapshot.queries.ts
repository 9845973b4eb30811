import { type SQL, sql } from 'drizzle-orm';
import { ADVISORY_LOCKS } from '../advisory-locks.ts';
import type { Queryable } from '../client.ts';

/** Begins a snapshot that may stay open for long. False if its owner already has one open. */
export async function beginSnapshot(db: Queryable, { owner }: { owner: string }): Promise<boolean> {
  await db.execute(sql`SET idle_in_transaction_session_timeout = '10min'`);
  // Plan for reading all rows, not for the first ones soon.
  await db.execute(sql`SET cursor_tuple_fraction = 1`);
  const { rows } = await db.execute<{ isFree: boolean }>(
    sql`SELECT pg_try_advisory_lock(${ADVISORY_LOCKS.exports}, hashtext(${owner})) AS "isFree"`,
  );
  if (!rows[0]?.isFree) return false;
  await db.execute(sql`BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY`);
  return true;
}

/** Reads a statement's rows, `count` at a time. Run one at a time: there is only one cursor. */
export async function* readRows<Row extends Record<string, unknown>>(
  db: Queryable,
  statement: SQL,
  { count }: { count: number },
): AsyncGenerator<Row[]> {
  await db.execute(sql`DECLARE exported NO SCROLL CURSOR FOR ${statement}`);
  for (;;) {
    const { rows } = await db.execute<Row>(sql`FETCH FORWARD ${sql.raw(String(count))} FROM exported`);
    if (rows.length === 0) break;
    yield rows as Row[];
  }
  await db.execute(sql`CLOSE exported`);
}
