import { Logger, parseCronItems, run } from 'graphile-worker';
import type { Deps } from '../deps.ts';
import { checkMail } from '../mail/check-mail.ts';
import { deliverMail } from '../mail/deliver-mail.ts';
import { answerMailRequests } from '../modules/auth/answer-mail-requests.ts';
import { checkAllBooks } from '../modules/payments/check-all-books.ts';
import { checkBooks } from '../modules/payments/check-books.ts';
import { compareAfterRestore } from '../modules/payments/compare-after-restore.ts';
import { compareDueBooks } from '../modules/payments/compare-books.ts';
import { expirePayments } from '../modules/payments/expire-payments.ts';
import { findHolds } from '../modules/payments/find-holds.ts';
import { settleCharges } from '../modules/payments/settle-charges.ts';
import { forgetOld } from './forget-old.ts';
import { TASK_NAMES, type TaskName } from './task-names.ts';

type Task = {
  run: (deps: Deps) => Promise<void>;
  /** When it runs without being woken, so that nothing waits much longer for a wake-up that was lost. */
  cron: string;
};

const EVERY_MINUTE = '* * * * *';

const TASKS: Record<TaskName, Task> = {
  'deliver-mail': { run: deliverMail, cron: EVERY_MINUTE },
  'answer-mail-requests': { run: answerMailRequests, cron: EVERY_MINUTE },
  'expire-payments': { run: expirePayments, cron: EVERY_MINUTE },
  'settle-charges': { run: settleCharges, cron: EVERY_MINUTE },
  'find-holds': { run: findHolds, cron: EVERY_MINUTE },
  'check-mail': { run: checkMail, cron: EVERY_MINUTE },
  'check-books': { run: checkBooks, cron: '*/5 * * * *' },
  'check-all-books': { run: checkAllBooks, cron: '10 2 * * *' },
  'compare-after-restore': { run: compareAfterRestore, cron: EVERY_MINUTE },
  'compare-books': { run: compareDueBooks, cron: '40 3 * * *' },
  'forget-old': { run: forgetOld, cron: '17 * * * *' },
};

const CRON = TASK_NAMES.map((task) => ({ task, match: TASKS[task].cron, options: { maxAttempts: 1 } }));

/** What a task could not do stands in its rows still; the queue's own words might repeat what is in them. */
async function runTask(deps: Deps, name: TaskName): Promise<void> {
  try {
    await deps.reporter.trace({ name, kind: 'queue.task' }, () => TASKS[name].run(deps));
    deps.metrics.tasks.inc({ task: name, result: 'done' });
  } catch (error) {
    deps.metrics.tasks.inc({ task: name, result: 'failed' });
    deps.log.error({ err: error, task: name }, 'a background task failed');
  }
}

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
    taskList: Object.fromEntries(TASK_NAMES.map((name) => [name, () => runTask(deps, name)])),
    parsedCronItems: parseCronItems(CRON),
  });
  // What was missed while nobody ran. The rarer tasks wait for their hour.
  const frequent = TASK_NAMES.filter((name) => TASKS[name].cron === EVERY_MINUTE);
  for (const name of frequent) await runner.addJob(name, {}, { maxAttempts: 1 });
  return { stop: () => runner.stop() };
}
