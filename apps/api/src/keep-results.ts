/** A few megabytes of short texts. */
const MOST_KEPT = 20_000;

export type KeptResults<Result> = (name: string, workOut: () => Result) => Result;

/**
 * Keeps what takes microseconds to work out and is asked for many times over, by name. However many names there are, it
 * holds so many at most, and then begins anew.
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
