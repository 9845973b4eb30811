import type { Queryable } from '../../db/client.ts';
import type { WakeUp } from '../../db/wake-ups.ts';
import type { Deps } from '../../deps.ts';
import { checkMail } from '../../mail/check-mail.ts';
import { deliverMail } from '../../mail/deliver-mail.ts';
import { isMailDue } from '../../mail/mail.queries.ts';
import { answerMailRequests } from '../../modules/auth/mailbox/answer-mail-requests.ts';
import { isMailRequested } from '../../modules/auth/mailbox/mail-requests.queries.ts';
import { indexWords } from '../../modules/console/search/index-words.ts';
import { hasWordChanges } from '../../modules/console/search/words.queries.ts';
import { checkAllBooks } from '../../modules/payments/books/check-all-books.ts';
import { checkBooks } from '../../modules/payments/books/check-books.ts';
import { compareDueBooks } from '../../modules/payments/books/compare-books.ts';
import { listExpiredIntents } from '../../modules/payments/engine/payments.queries.ts';
import { listRefundingAccounts } from '../../modules/payments/refunds/sweep/refund-leases.queries.ts';
import { sweepRefunds } from '../../modules/payments/refunds/sweep/sweep-refunds.ts';
import { compareAfterRestore } from '../../modules/payments/restore/compare-after-restore.ts';
import { fillShares } from '../../modules/payments/shares/fill-shares.ts';
import { expirePayments } from '../../modules/payments/sweep/expire-payments.ts';
import { findHolds } from '../../modules/payments/sweep/find-holds.ts';
import { listUnfinishedAccounts } from '../../modules/payments/sweep/leases.queries.ts';
import { sweepAccount } from '../../modules/payments/sweep/sweep-charges.ts';
import { forgetOld } from '../forget-old.ts';
import { logFailure, traceTask } from '../observe-task.ts';
import { runScheduled } from '../run-scheduled.ts';
import type { ScheduledTask } from '../schedule.ts';
import { TASK_NAMES, type TaskName } from '../task-names.ts';
import type { Timers } from '../timers.ts';
import { AccountLanes } from './account-lanes.ts';
import { endWaitsAhead } from './end-waits-ahead.ts';
import { Lane } from './lane.ts';

/** Dependencies of lanes, with connections reserved for each kind of work. */
export type LaneDeps = {
  /** For work that people's money waits for. */
  money: Deps;
  others: Deps;
};

/** One instance's lanes; they don't look until started. */
export type Lanes = {
  /** From now on, lanes look when woken and every few seconds. */
  start(): void;
  /** Starts nothing new, and waits for what is running. */
  stop(): Promise<void>;
  wake(wakeUp: WakeUp): void;
  /** Runs one complete look of one kind of work, on every account that has some. */
  look(name: TaskName): Promise<void>;
  /** What each lane is doing. */
  states(): LaneState[];
};

export type LaneState = { lane: TaskName; runningSeconds: number; accounts: number };

/** Well within the 15 seconds for capturing a charge, even if a wake-up is lost. */
const SOON_MILLISECONDS = 2_000;
const SELDOM_MILLISECONDS = 15_000;

export function openLanes({ money, others }: LaneDeps, timers: Timers): Lanes {
  const lanes = new Map<string, Lane>();
  const accounts = new Map<string, AccountLanes>();
  const add = (
    deps: Deps,
    name: TaskName,
    pollMilliseconds: number,
    look: (isStopping: () => boolean) => Promise<unknown>,
  ) => {
    const lane: Lane = new Lane({
      name,
      pollMilliseconds,
      timers,
      look: () => logFailure(deps, name, () => look(lane.isStopped)),
    });
    lanes.set(name, lane);
  };

  /** Polls often, and is traced only if there is work. */
  const addPolled = (
    deps: Deps,
    name: TaskName,
    isDue: (db: Queryable) => Promise<boolean>,
    run: (deps: Deps, options: { isStopping: () => boolean }) => Promise<void>,
  ) =>
    add(deps, name, SOON_MILLISECONDS, async (isStopping) => {
      if (await isDue(deps.db.query)) await traceTask(deps, name, () => run(deps, { isStopping }));
    });

  /** One lane finds the accounts that may have work; each account then gets its own lane. */
  const addByAccount = (
    name: TaskName,
    listAccounts: (db: Queryable) => Promise<number[]>,
    run: (deps: Deps, options: { accountId: number; isStopping: () => boolean }) => Promise<void>,
  ) => {
    const ofAccounts = new AccountLanes({
      name,
      timers,
      look: (accountId, isStopping) => logFailure(money, name, () => run(money, { accountId, isStopping })),
    });
    accounts.set(name, ofAccounts);
    add(money, name, SOON_MILLISECONDS, async () => {
      for (const accountId of await listAccounts(money.db.query)) ofAccounts.wake(accountId);
    });
  };

  const addScheduled = (name: ScheduledTask, run: (deps: Deps) => Promise<unknown>) =>
    add(others, name, SELDOM_MILLISECONDS, () =>
      runScheduled(others, { name, timers, run: () => traceTask(others, name, () => run(others)) }),
    );

  addPolled(money, 'expire-payments', isAnyExpired, expirePayments);
  addByAccount('sweep-charges', listUnfinishedAccounts, sweepAccount);
  addByAccount('find-holds', listUnfinishedAccounts, findHolds);
  addByAccount('sweep-refunds', listRefundingAccounts, sweepRefunds);
  add(money, 'compare-after-restore', SELDOM_MILLISECONDS, () => compareAfterRestore(money));
  addPolled(others, 'deliver-mail', isMailDue, deliverMail);
  addPolled(others, 'answer-mail-requests', isMailRequested, answerMailRequests);
  addPolled(others, 'index-words', hasWordChanges, indexWords);
  addScheduled('check-mail', checkMail);
  addScheduled('check-books', checkBooks);
  addScheduled('check-all-books', checkAllBooks);
  addScheduled('compare-books', async (deps) => {
    await endWaitsAhead(deps);
    await compareDueBooks(deps);
  });
  addScheduled('fill-shares', fillShares);
  addScheduled('forget-old', forgetOld);

  return {
    start() {
      for (const lane of lanes.values()) lane.start();
    },
    async stop() {
      await Promise.all([...lanes.values(), ...accounts.values()].map((each) => each.stop()));
    },
    wake({ task, accountId }) {
      const ofAccounts = accounts.get(task);
      if (ofAccounts && accountId !== undefined) ofAccounts.wake(accountId);
      else lanes.get(task)?.wake();
    },
    async look(name) {
      await lanes.get(name)?.look();
      await accounts.get(name)?.idle();
    },
    states: () =>
      TASK_NAMES.map((lane) => {
        const running = accounts.get(lane)?.running() ?? [];
        const milliseconds = [
          lanes.get(lane)?.runningMilliseconds() ?? 0,
          ...running.map((each) => each.milliseconds),
        ];
        return { lane, runningSeconds: Math.max(...milliseconds) / 1000, accounts: running.length };
      }),
  };
}

const isAnyExpired = async (db: Queryable) => (await listExpiredIntents(db, { limit: 1 })).length > 0;
