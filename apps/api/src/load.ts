const SAMPLE_MILLISECONDS = 50;
/** One long pause is no load: it is over when it is seen. */
const MAX_LATE_SAMPLES = 2;

/** Whether this process keeps up with what it is asked. */
export type LoopWatch = { isLate(): boolean; stop(): void };

/** Looks how late a timer fires: by so much everything else waits too. With a limit of 0, nothing is ever late. */
export function watchLoop({ maxLagMilliseconds }: { maxLagMilliseconds: number }): LoopWatch {
  const limit = maxLagMilliseconds === 0 ? Number.POSITIVE_INFINITY : maxLagMilliseconds;
  let due = performance.now() + SAMPLE_MILLISECONDS;
  let lateSamples = 0;
  const timer = setInterval(() => {
    const now = performance.now();
    lateSamples = now - due > limit ? lateSamples + 1 : 0;
    due = now + SAMPLE_MILLISECONDS;
  }, SAMPLE_MILLISECONDS);
  timer.unref();
  return { isLate: () => lateSamples >= MAX_LATE_SAMPLES, stop: () => clearInterval(timer) };
}
