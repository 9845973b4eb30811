import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { Deps } from '../deps.ts';
import { type PortalState, readPortalState, readUnfinishedCharges } from './state.queries.ts';

/** Adds what is asked for at each scrape: the database's state, the pool and the process. */
export function observePortal({ db, env, metrics }: Pick<Deps, 'db' | 'env' | 'metrics'>): { stop(): void } {
  const { registry } = metrics;
  // All gauges of one scrape come from one look.
  const state = shared(() => readPortalState(db.query, { publicUrl: env.PUBLIC_URL }));
  const unfinished = shared(() => readUnfinishedCharges(db.query));
  const value = (name: string, help: string, read: () => number) =>
    registry.gauge(name, help, () => [{ labels: {}, value: read() }]);
  const fact = (name: string, help: string, key: keyof PortalState) =>
    registry.gauge(name, help, async () => {
      const known = await state().catch(() => undefined);
      return known ? [{ labels: {}, value: known[key] }] : [];
    });

  registry.gauge('portal_database_up', 'Whether the database answered this scrape.', async () => [
    {
      labels: {},
      value: await state().then(
        () => 1,
        () => 0,
      ),
    },
  ]);
  fact('portal_payments_undecided', 'Payments that have begun and are not decided.', 'undecided');
  fact(
    'portal_sweep_lag_seconds',
    'How long ago the oldest undecided payment should have ended.',
    'sweepLagSeconds',
  );
  fact('portal_settle_lag_seconds', 'How long the oldest charge that is due has waited.', 'settleLagSeconds');
  fact(
    'portal_job_lag_seconds',
    'How long the oldest background job that is due has waited.',
    'jobLagSeconds',
  );
  fact('portal_mail_lag_seconds', 'How long the oldest mail that is due has waited.', 'mailLagSeconds');
  fact('portal_mail_waiting', 'Mails that are not sent yet.', 'mailWaiting');
  fact('portal_mail_given_up', 'Mails that will not be sent.', 'mailGivenUp');
  fact('portal_charges_in_review', 'Charges that need a person.', 'inReview');
  fact('portal_payments_found', 'Payments that only the provider has, and nobody has settled.', 'found');
  fact('portal_payments_closed', '1 while nobody can pay because of a restore.', 'isClosed');
  registry.gauge('portal_charges_unfinished', 'Charges that something is still to be done about.', async () =>
    (await unfinished().catch(() => [])).map((each) => ({
      labels: { state: each.state },
      value: each.count,
    })),
  );
  registry.gauge('portal_charges_unfinished_oldest_seconds', 'Age of the oldest of them.', async () =>
    (await unfinished().catch(() => [])).map((each) => ({
      labels: { state: each.state },
      value: each.oldestSeconds,
    })),
  );

  value('portal_pool_connections', 'Database connections that are open.', () => db.pool.totalCount);
  value('portal_pool_idle', 'Database connections that nobody uses.', () => db.pool.idleCount);
  value('portal_pool_waiting', 'Statements that wait for a connection.', () => db.pool.waitingCount);

  const delay = monitorEventLoopDelay({ resolution: 20 });
  delay.enable();
  value('portal_event_loop_lag_seconds', 'The longest wait of the event loop since the last scrape.', () => {
    const longest = delay.max / 1e9;
    delay.reset();
    return longest;
  });
  value('process_resident_memory_bytes', 'Memory of the process.', () => process.memoryUsage.rss());
  value('process_cpu_seconds_total', 'Processor time.', () => {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1e6;
  });
  value('process_uptime_seconds', 'Time since the start.', () => process.uptime());
  return { stop: () => delay.disable() };
}

/** Whoever asks while an answer is under way gets the same. */
function shared<Answer>(ask: () => Promise<Answer>): () => Promise<Answer> {
  let asked: Promise<Answer> | undefined;
  return () => {
    asked ??= ask().finally(() => {
      asked = undefined;
    });
    return asked;
  };
}
