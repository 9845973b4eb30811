import type pg from 'pg';

const SAMPLE_MILLISECONDS = 50;
/** One long pause is no load: it is over when it is seen. */
const MAX_LATE_SAMPLES = 2;
/**
 * How many calls may read, and how many statements may wait, for each connection. At the milliseconds that a
 * statement takes, twenty are done within the second, on a slow machine too; and the calls of forty dashboards may come at
 * the same moment.
 */
const MAX_PER_CONNECTION = 20;

/** Whether this process, and the database behind it, keep up with what they are asked. */
export type LoadWatch = {
  /** What cannot keep up; `null` as long as everything does. */
  late(): 'calls' | 'loop' | 'pool' | null;
  /** Counts a call until what it gives back is called, once or more often. */
  begin(): () => void;
  stop(): void;
};

/**
 * Looks how late a timer fires, and how long a statement waits for a connection: by so much everything else waits too.
 * And counts, because what comes too fast is seen in its number long before it is seen in its waiting. With a limit of 0,
 * nothing is ever late.
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

/** Stands in the pool's queue itself whenever there is one: its length alone does not tell how long it takes. */
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
