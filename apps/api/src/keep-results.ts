/** A few megabytes of short texts. */
const MOST_KEPT = 20_000;

export type KeptResults<Result> = (name: string, workOut: () => Result) => Result;

/**
 * Caches results that take microseconds to compute and are needed many times. Clears the whole cache when it is full.
 */
export function keepResults<Result extends {}>(): KeptResults<Result> {
  const kept = new Map<string, Result>();
  return (name, workOut) => {
    const known = kept.get(name);
    if (known !== undefined) return known;
    if (kept.size >= MOST_KEPT) kept.clear();
    const fresh = workOut();
    kept.set(name, fresh);
    return fresh;
  };
}
