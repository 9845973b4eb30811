import { sql } from 'drizzle-orm';
import type { Queryable } from '../db/client.ts';
import { executePrepared } from '../db/execute-prepared.ts';
import type { TaskName } from './task-names.ts';

/**
 * Wakes a task, now or at a time, as part of the caller's transaction. A wake-up only says "look": what there is to do
 * stands in the rows, so a lost or doubled one does no harm, and the cron list wakes every task each minute anyway.
 * No job key on purpose: transactions that named the same key would wait for each other.
 */
export async function wake(
  tx: Queryable,
  task: TaskName,
  options: { runAt?: Date; inSeconds?: number } = {},
): Promise<void> {
  const { runAt, inSeconds = 0 } = options;
  await executePrepared(
    tx,
    sql`SELECT FROM graphile_worker.add_job(${task}::text, 
      run_at => coalesce(${runAt?.toISOString() ?? null}::timestamptz, now() + make_interval(secs => ${inSeconds})), max_attempts => 1)`,
  );
}
