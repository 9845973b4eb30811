import { Counter, Histogram, Registry } from 'prom-client';
import { TASK_NAMES } from '../jobs/task-names.ts';

/** What is counted as it happens; anything that can be read at a scrape isn't counted here. */
export type Metrics = {
  registry: Registry;
  /** Requests by method, route and status, with their response times. */
  requests: Histogram<'method' | 'route' | 'status'>;
  /** Answers by the class of their status, as `5xx`, whatever the route. */
  answers: Counter<'status'>;
  /** Payments by kind and outcome; replays are a separate outcome. */
  payments: Counter<'kind' | 'outcome'>;
  /** Refunds by outcome; a held one is counted again when it ends. */
  refunds: Counter<'outcome'>;
  /** Calls to the card provider by result. */
  providerCalls: Counter<'result'>;
  /** Requests rejected because the portal was busy. */
  turnedAway: Counter<'reason'>;
  /** Background tasks by name and whether they failed. */
  tasks: Counter<'task' | 'result'>;
  /** Browser reports by what became of them. */
  browserReports: Counter<'result'>;
};

/** Uses its own registry, so that several portals in one process, as in tests, count separately. */
export function createMetrics(): Metrics {
  const registry = new Registry();
  const registers = [registry];
  const metrics: Metrics = {
    registry,
    requests: new Histogram({
      name: 'portal_request_seconds',
      help: 'Time to the answer, by method, route and status.',
      labelNames: ['method', 'route', 'status'],
      buckets: [0.005, 0.025, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
      registers,
    }),
    answers: new Counter({
      name: 'portal_answers_total',
      help: 'Answers, by the class of their status.',
      labelNames: ['status'],
      registers,
    }),
    payments: new Counter({
      name: 'portal_payments_total',
      help: 'Payments answered, by kind and outcome.',
      labelNames: ['kind', 'outcome'],
      registers,
    }),
    refunds: new Counter({
      name: 'portal_refunds_total',
      help: 'Refunds that ended or were held, by outcome.',
      labelNames: ['outcome'],
      registers,
    }),
    providerCalls: new Counter({
      name: 'portal_provider_calls_total',
      help: 'Calls to the card provider, by result.',
      labelNames: ['result'],
      registers,
    }),
    turnedAway: new Counter({
      name: 'portal_turned_away_total',
      help: 'Requests refused because of load, by reason.',
      labelNames: ['reason'],
      registers,
    }),
    tasks: new Counter({
      name: 'portal_tasks_total',
      help: 'Background tasks run, by name and result.',
      labelNames: ['task', 'result'],
      registers,
    }),
    browserReports: new Counter({
      name: 'portal_browser_reports_total',
      help: 'What browsers reported of the content policy, logged or dropped.',
      labelNames: ['result'],
      registers,
    }),
  };
  showFromTheStart(metrics);
  return metrics;
}

/** What the provider, or a proxy in front of it, answers when it refuses the keys or fails. */
const PROVIDER_ERRORS = ['401', '403', '500', '502', '503', '504'];

/** What alerts look for: to Prometheus, a series that first appears as 1 has not risen. */
function showFromTheStart({
  answers,
  providerCalls,
  payments,
  turnedAway,
  tasks,
  browserReports,
}: Metrics): void {
  for (const status of ['2xx', '3xx', '4xx', '5xx']) answers.inc({ status }, 0);
  for (const result of [...PROVIDER_ERRORS, 'timed-out', 'cut', 'not-sent', 'unreadable'])
    providerCalls.inc({ result }, 0);
  for (const kind of ['guest', 'portal'])
    for (const outcome of ['ProviderFailing', 'Unconfirmed', 'TimeUp']) payments.inc({ kind, outcome }, 0);
  for (const reason of ['calls', 'loop', 'pool']) turnedAway.inc({ reason }, 0);
  for (const task of TASK_NAMES) tasks.inc({ task, result: 'failed' }, 0);
  browserReports.inc({ result: 'logged' }, 0);
}
