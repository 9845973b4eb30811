import type { Deps } from '../deps.ts';
import type { TaskName } from './task-names.ts';

/** Times and counts a lane's work, if there is any. */
export async function traceTask(
  { reporter, metrics }: Deps,
  task: TaskName,
  work: () => Promise<unknown>,
): Promise<void> {
  await reporter.trace({ name: task, kind: 'queue.task' }, work);
  metrics.tasks.inc({ task, result: 'done' });
}

/** Logs a failed look. The work itself remains in its rows. */
export async function logFailure(
  { log, metrics }: Deps,
  task: TaskName,
  look: () => Promise<unknown>,
): Promise<void> {
  try {
    await look();
  } catch (error) {
    metrics.tasks.inc({ task, result: 'failed' });
    log.error({ err: error, task }, 'a background task failed');
    throw error;
  }
}
