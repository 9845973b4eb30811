/** When lanes look by themselves; tests supply their own clock. */
export type Timers = {
  /** Monotonic milliseconds. */
  now(): number;
  /** Calls `work` once, later; the result cancels it. */
  after(milliseconds: number, work: () => void): () => void;
};

export const systemTimers: Timers = {
  now: () => performance.now(),
  after(milliseconds, work) {
    const timer = setTimeout(work, milliseconds);
    return () => clearTimeout(timer);
  },
};
