import type { Queryable } from '../db/client.ts';
import { wakeThrough } from '../db/wake-ups.ts';
import type { TaskName } from './task-names.ts';

/**
 * Has this instance's lane of a task look once more, after the caller's commit. Nothing is written for it: what there is
 * to do stands in the rows, and each lane of each instance polls them anyway.
 */
export function wake(
  db: Queryable,
  task: TaskName,
  /** Whose work it is, where it is known. */
  { accountId }: { accountId?: number } = {},
): void {
  wakeThrough(db, { task, accountId });
}
