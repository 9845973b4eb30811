import type { Queryable } from '../db/client.ts';
import { wakeThrough } from '../db/wake-ups.ts';
import type { TaskName } from './task-names.ts';

/**
 * Wakes this instance's lane of a task after the caller's commit. Writes nothing: the work is in the rows, which every
 * instance's lanes poll anyway.
 */
export function wake(
  db: Queryable,
  task: TaskName,
  /** The account with the work, if known. */
  { accountId }: { accountId?: number } = {},
): void {
  wakeThrough(db, { task, accountId });
}
