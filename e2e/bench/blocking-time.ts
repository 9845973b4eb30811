import type { RunnerResult, TraceEvent } from 'lighthouse';

/** Adds a field that Lighthouse's type lacks: CPU time in microseconds. */
type Task = TraceEvent & { tdur?: number };

/** As on Lighthouse's phone: four times slower than this machine, and a task blocks for its time beyond 50 ms. */
const SLOWDOWN = 4;
const UNNOTICED_MILLISECONDS = 50;

/**
 * A visit's blocking time, from its tasks' CPU time. Lighthouse uses wall-clock time, which includes whatever else the
 * machine is doing.
 */
export function unsharedBlockingTime({ lhr, artifacts }: RunnerResult): number {
  const { traceEvents } = artifacts.Trace;
  const begin = traceEvents.findLast(
    ({ name, args }) => name === 'navigationStart' && args.data?.documentLoaderURL === lhr.finalDisplayedUrl,
  );
  const onPage = traceEvents.filter(
    ({ pid, tid, ts }) => begin && pid === begin.pid && tid === begin.tid && ts >= begin.ts,
  );
  const firstPaint = onPage.find(({ name }) => name === 'firstContentfulPaint');
  if (!firstPaint) return Number.NaN;
  const tasks = onPage.filter(({ name, ts }) => name === 'RunTask' && ts >= firstPaint.ts);
  const blocked = tasks.map(({ tdur = 0 }: Task) =>
    Math.max(0, (tdur / 1000) * SLOWDOWN - UNNOTICED_MILLISECONDS),
  );
  return blocked.reduce((sum, each) => sum + each, 0);
}
