import { Logger, parseCronItems, run } from 'graphile-worker';
import type { Deps } from '../deps.ts';
import { deliverMail } from '../mail/deliver-mail.ts';
import { TASK_NAMES, type TaskName } from './task-names.ts';

const TASKS: Record<TaskName, (deps: Deps) => Promise<void>> = {
  'deliver-mail': deliverMail,
};

/** Each task once a minute, so that nothing waits longer for a wake-up that was lost. */
const CRON = TASK_NAMES.map((task) => ({ task, match: '* * * * *', options: { maxAttempts: 1 } }));

/** Starts the background tasks of this instance, on connections of their own. */
export async function runJobs(deps: Deps): Promise<{ stop(): Promise<void> }> {
  const runner = await run({
    connectionString: deps.env.DATABASE_URL,
    maxPoolSize: 4,
    concurrency: 4,
    noHandleSignals: true,
    pollInterval: 2_000,
    logger: new Logger(() => (level, message) => {
      if (level === 'error') deps.log.error({ job: true }, message);
    }),
    taskList: Object.fromEntries(TASK_NAMES.map((name) => [name, () => TASKS[name](deps)])),
    parsedCronItems: parseCronItems(CRON),
  });
  for (const name of TASK_NAMES) await runner.addJob(name, {}, { maxAttempts: 1 });
  return { stop: () => runner.stop() };
}
