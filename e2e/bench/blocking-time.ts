import type { RunnerResult, TraceEvent } from 'lighthouse';

/** With what Lighthouse's own type leaves out: microseconds of a processor. */
type Task = TraceEvent & { tdur?: number };

/** As Lighthouse's phone: a quarter of this machine, and a task blocks for what it takes beyond 50 ms. */
const SLOWDOWN = 4;
const UNNOTICED_MS = 50;

/**
 * The blocking time of a visit, counted by what its tasks took of a processor. Lighthouse counts from clock to clock, and
 * so what other programs do on the machine as well.
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
  const blocked = tasks.map(({ tdur = 0 }: Task) => Math.max(0, (tdur / 1000) * SLOWDOWN - UNNOTICED_MS));
  return blocked.reduce((sum, each) => sum + each, 0);
}
