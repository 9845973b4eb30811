/** How often something may fail before the next attempt has to wait. */
export type Limit = {
  name: string;
  /** Starts at the first failure; after it, counting starts over. */
  windowSeconds: number;
  /** When the next attempt is allowed, given the failures so far. */
  waitUntil(counter: Counter): Date | null;
};

export type Counter = { count: number; lastAt: Date; windowEnd: Date };

/** A limit and whom it applies to. The parts are hashed before they are stored. */
export type Guard = {
  limit: Limit;
  of: readonly (string | number)[];
  /** How much one failure counts; default one. */
  weight?: number;
};

/** Allows `max` failures per window, then refuses until the window ends. */
export function cap(name: string, { max, windowSeconds }: { max: number; windowSeconds: number }): Limit {
  return {
    name,
    windowSeconds,
    waitUntil: ({ count, windowEnd }) => (count >= max ? windowEnd : null),
  };
}

/** The first failures are free; then each doubles the wait, from one second up to `maxWaitSeconds`. */
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
