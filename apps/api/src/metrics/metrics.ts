import { type Counter, createRegistry, type Histogram, type Registry } from './registry.ts';

/** What is counted as it happens; what can be asked for at a scrape is not counted here. */
export type Metrics = {
  registry: Registry;
  /** Requests by method, route and status, with the time to their answers. */
  requests: Histogram;
  /** Payments by kind and outcome; what was only told again is an outcome of its own. */
  payments: Counter;
  /** Calls to the card provider by method and what came of them. */
  providerCalls: Counter;
  /** Requests that were turned away because the portal was busy. */
  turnedAway: Counter;
  /** Background tasks by name and whether they threw. */
  tasks: Counter;
};

const REQUEST_SECONDS = [0.005, 0.025, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

/** The names are those of docs/operations.md. */
export function createMetrics(): Metrics {
  const registry = createRegistry();
  return {
    registry,
    requests: registry.histogram(
      'portal_request_seconds',
      'Time to the answer, by method, route and status.',
      REQUEST_SECONDS,
    ),
    payments: registry.counter('portal_payments_total', 'Payments answered, by kind and outcome.'),
    providerCalls: registry.counter('portal_provider_calls_total', 'Calls to the card provider, by result.'),
    turnedAway: registry.counter('portal_turned_away_total', 'Requests refused because of load, by reason.'),
    tasks: registry.counter('portal_tasks_total', 'Background tasks run, by name and result.'),
  };
}
