/** How often something may fail before the next try has to wait. */
export type Limit = {
  name: string;
  /** Counted from the first failure; when it is over, counting starts anew. */
  windowSeconds: number;
  /** When the next try may be made, given the failures so far. */
  waitUntil(counter: Counter): Date | null;
};

export type Counter = { count: number; lastAt: Date; windowEnd: Date };

/** A limit and whom it is about. The parts are hashed before they are stored. */
export type Guard = {
  limit: Limit;
  of: readonly (string | number)[];
  /** What one failure counts for; one unless said otherwise. */
  weight?: number;
};

/** So many failures in a window; then everybody waits for its end. */
export function cap(name: string, { max, windowSeconds }: { max: number; windowSeconds: number }): Limit {
  return {
    name,
    windowSeconds,
    waitUntil: ({ count, windowEnd }) => (count >= max ? windowEnd : null),
  };
}

/** Some failures cost nothing; after them each doubles the wait, from one second up to `maxWaitSeconds`. */
export function backOff(
  name: string,
  { free, maxWaitSeconds, windowSeconds }: { free: number; maxWaitSeconds: number; windowSeconds: number },
): Limit {
  return {
    name,
    windowSeconds,
    waitUntil: ({ count, lastAt }) => {
      if (count < free) return null;
      const seconds = Math.min(maxWaitSeconds, 2 ** Math.min(count - free, 30));
      return new Date(lastAt.getTime() + seconds * 1000);
    },
  };
}
