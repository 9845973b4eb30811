import { type SQL, sql } from 'drizzle-orm';
import { ADVISORY_LOCKS } from '../advisory-locks.ts';
import type { Queryable } from '../client.ts';
import { onlyRow, query } from '../query.ts';

/**
 * Begins a snapshot. False if its owner already has one open. One that nobody reads from any more, whose connection may
 * have been lost unnoticed, ends with the connection's idle limit, which is longer than a reader may take nothing.
 */
export async function beginSnapshot(db: Queryable, { owner }: { owner: string }): Promise<boolean> {
  // Plan for reading all rows, not for the first ones soon.
  await query(db)`SET cursor_tuple_fraction = 1`;
  const rows = await query<{ isFree: boolean }>(db)`
    SELECT pg_try_advisory_lock(${ADVISORY_LOCKS.exports}, hashtext(${owner})) AS "isFree"`;
  if (!onlyRow(rows).isFree) return false;
  await query(db)`BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY`;
  return true;
}

/** Reads a statement's rows, `count` at a time. Run one at a time: there is only one cursor. */
export async function* readRows<Row extends Record<string, unknown>>(
  db: Queryable,
  statement: SQL,
  { count }: { count: number },
): AsyncGenerator<Row[]> {
  await query(db)`DECLARE exported NO SCROLL CURSOR FOR ${statement}`;
  for (;;) {
    const rows = await query<Row>(db)`FETCH FORWARD ${sql.raw(String(count))} FROM exported`;
    if (rows.length === 0) break;
    yield rows as Row[];
  }
  await query(db)`CLOSE exported`;
}
