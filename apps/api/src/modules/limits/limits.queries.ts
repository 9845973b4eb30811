import { getTableColumns, gt, inArray, lte, sql } from 'drizzle-orm';
import type { Queryable } from '../../db/client.ts';
import { preparedList } from '../../db/prepared-list.ts';
import { limitCounter } from '../../db/schema/operations.ts';
import type { Counter } from './limit.ts';

const runningCounters = preparedList<Counter & { key: string }>('find_limit_counters', {
  columns: getTableColumns(limitCounter),
  build: (db) =>
    db
      .select()
      .from(limitCounter)
      .where(
        sql`${limitCounter.key} = ANY(${sql.placeholder('keys')}) AND ${gt(limitCounter.windowEnd, sql.placeholder('now'))}`,
      ),
});

/** Asked before every look-up and every sign-in. */
export function findCounters(
  db: Queryable,
  { keys, now }: { keys: string[]; now: Date },
): Promise<(Counter & { key: string })[]> {
  return runningCounters(db, { keys, now });
}

/** Counts one more under every key, in one statement. Keys are taken in order, so that two callers never deadlock. */
export async function raiseCounters(
  db: Queryable,
  { windows, now }: { windows: { key: string; end: Date }[]; now: Date },
): Promise<{ key: string; count: number }[]> {
  const values = windows
    .toSorted((a, b) => (a.key < b.key ? -1 : 1))
    .map(({ key, end }) => ({ key, count: 1, lastAt: now, windowEnd: end }));
  const isOver = sql`${limitCounter.windowEnd} <= excluded.last_at`;
  return db
    .insert(limitCounter)
    .values(values)
    .onConflictDoUpdate({
      target: limitCounter.key,
      set: {
        count: sql`CASE WHEN ${isOver} THEN 1 ELSE ${limitCounter.count} + 1 END`,
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
