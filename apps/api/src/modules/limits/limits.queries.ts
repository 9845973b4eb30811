import { type SQL, sql } from 'drizzle-orm';
import type { Queryable } from '../../db/client.ts';
import { listOf, query, unnest } from '../../db/query.ts';
import { removeOld } from '../../db/statements/remove-old.queries.ts';
import type { Counter } from './limit.ts';

/** The counters' keys, and the time. */
export type Uncounted = { keys: string[]; now: Date };

/** A caller's counters whose window hasn't ended. */
const isRunning = ({ keys, now }: Uncounted) => sql`
  key = ANY(${listOf(keys, 'text')}) AND window_end > ${now.toISOString()}::timestamptz`;

/**
 * Condition for the statement that a limit protects: nothing is counted against the caller. Postgres evaluates it first,
 * and reads nothing else if something is counted.
 */
export const isUncounted = (asked: Uncounted): SQL => sql`
  NOT EXISTS (SELECT FROM limit_counter WHERE ${isRunning(asked)})`;

/** Read before every sign-in, and before look-ups by callers with counted misses. */
export async function findCounters(db: Queryable, asked: Uncounted): Promise<(Counter & { key: string })[]> {
  return query<Counter & { key: string }>(db, { plan: 'once' })`
    SELECT key, count, last_at AS "lastAt", window_end AS "windowEnd" FROM limit_counter WHERE ${isRunning(asked)}`;
}

/** Counts a failure under every key in one statement. Takes keys in order, so that callers never deadlock. */
export async function raiseCounters(
  db: Queryable,
  { windows, now }: { windows: { key: string; end: Date; weight: number }[]; now: Date },
): Promise<{ key: string; count: number }[]> {
  const isOver = sql`counter.window_end <= excluded.last_at`;
  return query<{ key: string; count: number }>(db)`
    INSERT INTO limit_counter AS counter (key, count, last_at, window_end)
    SELECT key, weight, ${now}::timestamptz, window_end
      FROM ${unnest(windows, { key: 'text', weight: 'integer', end: 'timestamptz' })} AS raised (key, weight, window_end)
     ORDER BY key COLLATE "C"
    ON CONFLICT (key) DO UPDATE SET
      count = CASE WHEN ${isOver} THEN excluded.count ELSE counter.count + excluded.count END,
      window_end = CASE WHEN ${isOver} THEN excluded.window_end ELSE counter.window_end END,
      last_at = excluded.last_at
    RETURNING key, count`;
}

export async function removeCounters(db: Queryable, keys: string[]): Promise<void> {
  await query(db)`DELETE FROM limit_counter WHERE key = ANY(${listOf(keys, 'text')})`;
}

export async function removeCountersEndedBy(db: Queryable, end: Date): Promise<void> {
  await removeOld(db, { from: 'limit_counter', where: sql`window_end <= ${end}`, oldestBy: 'window_end' });
}
