import { getTableColumns, gt, inArray, lte, type SQL, sql } from 'drizzle-orm';
import type { Queryable } from '../../db/client.ts';
import { limitCounter } from '../../db/schema/operations.ts';
import { preparedList } from '../../db/statements/prepared-list.ts';
import type { Counter } from './limit.ts';

/** A caller's counters whose window hasn't ended. */
const isRunning = sql`${limitCounter.key} = ANY(${sql.placeholder('keys')}) AND ${gt(limitCounter.windowEnd, sql.placeholder('now'))}`;

/**
 * Condition for the statement that a limit protects: nothing is counted against the caller. Takes the values of
 * `Uncounted`. Postgres evaluates it first, and reads nothing else if something is counted.
 */
export const isUncounted: SQL = sql`NOT EXISTS (SELECT FROM ${limitCounter} WHERE ${isRunning})`;

/** The counters' keys, and the time. */
export type Uncounted = { keys: string[]; now: Date };

const runningCounters = preparedList<Counter & { key: string }>('find_limit_counters', {
  columns: getTableColumns(limitCounter),
  build: (db) => db.select().from(limitCounter).where(isRunning),
});

/** Read before every sign-in, and before look-ups by callers with counted misses. */
export function findCounters(
  db: Queryable,
  { keys, now }: Uncounted,
): Promise<(Counter & { key: string })[]> {
  return runningCounters(db, { keys, now });
}

/** Counts a failure under every key in one statement. Takes keys in order, so that callers never deadlock. */
export async function raiseCounters(
  db: Queryable,
  { windows, now }: { windows: { key: string; end: Date; weight: number }[]; now: Date },
): Promise<{ key: string; count: number }[]> {
  const values = windows
    .toSorted((a, b) => (a.key < b.key ? -1 : 1))
    .map(({ key, end, weight }) => ({ key, count: weight, lastAt: now, windowEnd: end }));
  const isOver = sql`${limitCounter.windowEnd} <= excluded.last_at`;
  return db
    .insert(limitCounter)
    .values(values)
    .onConflictDoUpdate({
      target: limitCounter.key,
      set: {
        count: sql`CASE WHEN ${isOver} THEN excluded.count ELSE ${limitCounter.count} + excluded.count END`,
        windowEnd: sql`CASE WHEN ${isOver} THEN excluded.window_end ELSE ${limitCounter.windowEnd} END`,
        lastAt: sql`excluded.last_at`,
      },
    })
    .returning({ key: limitCounter.key, count: limitCounter.count });
}

export async function removeCounters(db: Queryable, keys: string[]): Promise<void> {
  await db.delete(limitCounter).where(inArray(limitCounter.key, keys));
}

export async function removeCountersEndedBy(db: Queryable, end: Date): Promise<void> {
  await db.delete(limitCounter).where(lte(limitCounter.windowEnd, end));
}
