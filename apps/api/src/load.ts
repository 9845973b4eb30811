import type pg from 'pg';

const SAMPLE_MILLISECONDS = 50;
/** Ignore a single stall; by the time we see it, it's over. */
const MAX_LATE_SAMPLES = 2;
/**
 * Reading calls in progress, and queued statements, allowed per connection. At milliseconds per statement, twenty
 * finish within a second even on a slow machine; and forty dashboards may call at the same moment.
 */
const MAX_PER_CONNECTION = 20;

/** Whether this process and its database keep up with the load. */
export type LoadWatch = {
  /** What can't keep up; `null` if everything does. */
  late(): 'calls' | 'loop' | 'pool' | null;
  /** Counts a call until the returned function is called; calling it again does nothing. */
  begin(): () => void;
  stop(): void;
};

/**
 * Measures how late a timer fires and how long a statement waits for a connection, which is how long everything
 * else waits too. Also counts, because a sudden burst shows in numbers long before it shows in waiting. With a
 * limit of 0, nothing is ever late.
 */
export function watchLoad(pool: pg.Pool, { maxLagMilliseconds }: { maxLagMilliseconds: number }): LoadWatch {
  if (maxLagMilliseconds === 0) return { late: () => null, begin: () => () => {}, stop: () => {} };
  let due = performance.now() + SAMPLE_MILLISECONDS;
  let lateSamples = 0;
  const queue = watchQueue(pool);
  const most = pool.options.max * MAX_PER_CONNECTION;
  let underWay = 0;
  const timer = setInterval(() => {
    const now = performance.now();
    lateSamples = now - due > maxLagMilliseconds ? lateSamples + 1 : 0;
    due = now + SAMPLE_MILLISECONDS;
    queue.look();
  }, SAMPLE_MILLISECONDS);
  timer.unref();
  return {
    late() {
      if (lateSamples >= MAX_LATE_SAMPLES) return 'loop';
      if (underWay >= most) return 'calls';
      if (pool.waitingCount >= most) return 'pool';
      return queue.waitedMilliseconds() > maxLagMilliseconds ? 'pool' : null;
    },
    begin() {
      let counts = 1;
      underWay += counts;
      return () => {
        underWay -= counts;
        counts = 0;
      };
    },
    stop: () => clearInterval(timer),
  };
}

/** Waits in the pool's queue itself whenever there is one, as its length doesn't tell how long it takes. */
function watchQueue(pool: pg.Pool): { look(): void; waitedMilliseconds(): number } {
  let since: number | null = null;
  let lastWait = 0;
  const look = () => {
    if (since !== null) return;
    lastWait = pool.waitingCount === 0 ? 0 : lastWait;
    if (pool.waitingCount === 0) return;
    const start = performance.now();
    since = start;
    const done = () => {
      lastWait = performance.now() - start;
      since = null;
    };
    pool.connect().then((client) => {
      client.release();
      done();
    }, done);
  };
  return {
    look,
    waitedMilliseconds: () => Math.max(lastWait, since === null ? 0 : performance.now() - since),
  };
}
