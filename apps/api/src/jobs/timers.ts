/** When lanes look by themselves; a test drives a clock of its own. */
export type Timers = {
  /** Milliseconds that only grow. */
  now(): number;
  /** Calls once, later; the result takes that back. */
  after(milliseconds: number, work: () => void): () => void;
};

export const systemTimers: Timers = {
  now: () => performance.now(),
  after(milliseconds, work) {
    const timer = setTimeout(work, milliseconds);
    return () => clearTimeout(timer);
  },
};
