import { setTimeout as sleep } from 'node:timers/promises';
import type { Pool } from 'pg';
import { collectDefaultMetrics, Gauge, type Registry } from 'prom-client';
import type { Queryable } from '../db/client.ts';
import type { Deps } from '../deps.ts';
import { readLaneLags } from '../jobs/lanes/lags.queries.ts';
import { listSilent } from '../jobs/lanes/list-silent.ts';
import type { LaneState } from '../jobs/lanes/open-lanes.ts';
import type { TaskName } from '../jobs/task-names.ts';
import { createReadiness } from '../modules/health/is-ready.ts';
import { countOpenRefunds } from '../modules/payments/refunds/refunds-left.queries.ts';
import { type PortalState, readPortalState, readUnfinishedCharges } from './state.queries.ts';

/** The gauges of the database's state: name and help text. */
const STATE: Record<keyof PortalState, [name: string, help: string]> = {
  undecided: ['portal_payments_undecided', 'Payments that have begun and are not decided.'],
  sweepLagSeconds: ['portal_sweep_lag_seconds', 'Since when the oldest undecided payment should have ended.'],
  chargeLagSeconds: ['portal_charge_lag_seconds', 'How long the oldest charge that is due has waited.'],
  mailLagSeconds: ['portal_mail_lag_seconds', 'How long the oldest mail that is due has waited.'],
  mailWaiting: ['portal_mail_waiting', 'Mails that are not sent yet.'],
  mailStuck: ['portal_mail_stuck', '1 while mail waits and none has gone out for a quarter of an hour.'],
  mailGivenUp: ['portal_mail_given_up', 'Mails that will not be sent.'],
  inReview: ['portal_charges_in_review', 'Charges that need a person.'],
  found: ['portal_payments_found', 'Payments that only the provider has, and nobody has acknowledged.'],
  differences: [
    'portal_differences_open',
    'Differences from the provider’s lists that nobody has acknowledged.',
  ],
  secretsUnreadable: [
    'portal_secrets_unreadable',
    'Cards and merchant accounts whose secrets no data key opens.',
  ],
  refundLagSeconds: ['portal_refund_lag_seconds', 'How long the oldest refund that is due has waited.'],
  refundsNeedPerson: ['portal_refunds_need_person', 'Refunds that need a person.'],
  refundsUnclaimed: ['portal_refunds_unclaimed', 'Refunds that the provider shows and none of ours owns.'],
  refundedTwice: [
    'portal_refunded_twice',
    'Refunds that the comparison found twice, and nobody has looked at.',
  ],
  creditsUnseen: [
    'portal_credits_unseen',
    'Credits of franchises without an address, which nobody has looked at.',
  ],
  closedAccounts: [
    'portal_payments_closed',
    'Merchant accounts that take no payments until their lists were compared.',
  ],
  accessHeld: ['portal_access_held', 'Staff and keys of offices that wait until somebody confirms them.'],
  unreadMarks: ['portal_database_marks_unread', 'Marks of a restore that the database server does not show.'],
  comparisonLagSeconds: [
    'portal_comparison_incomplete_seconds',
    'How long the books of an account have not been compared in full; 0 when they have.',
  ],
  brokenRules: ['portal_rules_broken', 'Rules of the books that a check found broken.'],
};

/** Names that alerts from an earlier version still use. */
const EARLIER_NAMES: Partial<Record<keyof PortalState, string>> = {
  chargeLagSeconds: 'portal_settle_lag_seconds',
};
const EARLIER_LANES: Partial<Record<TaskName, string>> = { 'sweep-charges': 'settle-charges' };
const underItsNames = (lane: TaskName, seconds: number): [name: string, seconds: number][] =>
  [lane, EARLIER_LANES[lane]].filter((name) => name !== undefined).map((name) => [name, seconds]);

/** So that a scrape ends within Prometheus' ten seconds whatever the database does. */
const READY_WITHIN_MILLISECONDS = 5_000;

/** What only this process knows. */
export type ProcessState = {
  /** The states of this instance's lanes, if it runs any. */
  lanes?: () => LaneState[];
  /** How far its host's clock is ahead of the database's, once it has looked. */
  skewSeconds?: () => number | null;
};

/** Registers what is read at each scrape: the state of the database, the pool and the process. */
export function observePortal(
  deps: Observed,
  { lanes = () => [], skewSeconds = () => null }: ProcessState = {},
): void {
  const { db, metrics } = deps;
  const gauges = gaugesOf(metrics.registry);
  observeState(gauges, deps);
  observeUnfinished(gauges, deps);
  observeLanes(gauges, deps, lanes);
  gauges.one(
    'portal_clock_skew_seconds',
    'How far the clock of this instance’s host is ahead of the database’s.',
    skewSeconds,
  );
  const ofPools = (name: string, help: string, read: (pool: Pool) => number) =>
    gauges.each(name, `${help}, by the name that it has in pg_stat_activity.`, 'pool', () =>
      [...db.pools()].map(([pool, opened]) => [pool, read(opened)]),
    );
  ofPools('portal_pool_connections', 'Open connections of each pool', (pool) => pool.totalCount);
  ofPools('portal_pool_idle', 'Connections of each pool that nobody uses', (pool) => pool.idleCount);
  ofPools(
    'portal_pool_waiting',
    'Statements that wait for a connection of each pool',
    (pool) => pool.waitingCount,
  );
  // Memory, CPU, event loop and garbage collection, under the standard names that dashboards expect.
  collectDefaultMetrics({ register: metrics.registry });
}

type Observed = Pick<Deps, 'db' | 'env' | 'log' | 'metrics' | 'reporter'>;
type Gauges = ReturnType<typeof gaugesOf>;
type Now<Value> = Value | Promise<Value>;

function gaugesOf(registry: Registry) {
  const registers = [registry];
  return {
    /** A gauge with one value; with null it has none. */
    one(name: string, help: string, read: () => Now<number | null>) {
      new Gauge({
        name,
        help,
        registers,
        async collect() {
          const value = await read();
          if (value === null) this.remove();
          else this.set(value);
        },
      });
    },
    /** A gauge with a value for each of a label's; those that are no longer read are gone. */
    each(name: string, help: string, label: string, read: () => Now<[label: string, value: number][]>) {
      new Gauge({
        name,
        help,
        registers,
        labelNames: [label],
        async collect() {
          this.reset();
          for (const [of, value] of await read()) this.set({ [label]: of }, value);
        },
      });
    },
  };
}

function observeState(gauges: Gauges, { db, env, log }: Observed): void {
  // All gauges of a scrape share one query; if it fails, they have no value.
  const state = shared(() => readPortalState(db.query, { publicUrl: env.PUBLIC_URL }).catch(() => null));
  const isReady = createReadiness({ db, log });
  gauges.one(
    'portal_database_up',
    'Whether the database answered this scrape and takes writes.',
    async () => {
      const late = sleep(READY_WITHIN_MILLISECONDS, false, { ref: false });
      const [known, takesWrites] = await Promise.all([state(), Promise.race([isReady(), late])]);
      return known && takesWrites ? 1 : 0;
    },
  );
  for (const key of Object.keys(STATE) as (keyof PortalState)[]) {
    const [name, help] = STATE[key];
    const earlier = EARLIER_NAMES[key];
    const read = async () => (await state())?.[key] ?? null;
    gauges.one(name, help, read);
    if (earlier) gauges.one(earlier, `The earlier name of ${name}.`, read);
  }
}

function observeUnfinished(gauges: Gauges, { db }: Observed): void {
  type Group = { state: string; count: number; oldestSeconds: number };
  const byState = (
    list: (db: Queryable) => Promise<Group[]>,
    counted: [name: string, help: string],
    aged: [name: string, help: string],
  ) => {
    const groups = shared(() => list(db.query).catch(() => []));
    gauges.each(...counted, 'state', async () => (await groups()).map(({ state, count }) => [state, count]));
    gauges.each(...aged, 'state', async () =>
      (await groups()).map(({ state, oldestSeconds }) => [state, oldestSeconds]),
    );
  };
  byState(
    readUnfinishedCharges,
    ['portal_charges_unfinished', 'Charges that something is still to be done about.'],
    ['portal_charges_unfinished_oldest_seconds', 'Age of the oldest of them.'],
  );
  byState(
    countOpenRefunds,
    ['portal_refunds_open', 'Refunds that have not ended.'],
    ['portal_refunds_open_oldest_seconds', 'Since when the oldest of them was asked for.'],
  );
}

function observeLanes(gauges: Gauges, { db, env, reporter }: Observed, lanes: () => LaneState[]): void {
  const place = { publicUrl: env.PUBLIC_URL };
  gauges.each(
    'portal_lane_lag_seconds',
    'How long the oldest work of each kind has waited, whoever should do it.',
    'lane',
    async () => {
      const lags = await readLaneLags(db.query, place).catch(() => []);
      return lags.flatMap(({ lane, seconds }) => underItsNames(lane, seconds));
    },
  );
  gauges.each(
    'portal_lane_running_seconds',
    'How long this instance has been at one look for each kind of work.',
    'lane',
    () => lanes().flatMap(({ lane, runningSeconds }) => underItsNames(lane, runningSeconds)),
  );
  gauges.each(
    'portal_not_answering',
    '1 for each thing that background work depends on and gets no answer from.',
    'what',
    async () => {
      const silent: string[] = await listSilent(db.query, place).catch(() => []);
      return [...silent, ...(reporter.isSilent() ? ['error reports'] : [])].map((what) => [what, 1]);
    },
  );
}

/** Concurrent callers share one answer. */
function shared<Answer>(ask: () => Promise<Answer>): () => Promise<Answer> {
  let asked: Promise<Answer> | undefined;
  return () => {
    asked ??= ask().finally(() => {
      asked = undefined;
    });
    return asked;
  };
}
