/**
 * Runs every contestant once per round, starting with a different one each time, so that other load on the machine hits
 * all of them. Returns the measurements per round. The first round only warms up.
 */
export async function takeTurns<Name extends string, Result>(
  rounds: number,
  contestants: Record<Name, () => Promise<Result>>,
): Promise<Record<Name, Result[]>> {
  const names = Object.keys(contestants) as Name[];
  const results = Object.fromEntries(names.map((name) => [name, []])) as unknown as Record<Name, Result[]>;
  for (let round = 0; round <= rounds; round++) {
    const first = round % names.length;
    for (const name of [...names.slice(first), ...names.slice(0, first)]) {
      const result = await contestants[name]();
      if (round > 0) results[name].push(result);
    }
  }
  return results;
}

/** Runs the same call with few and with many invoices right after one another. */
export function besideOneAnother<Work>(contestants: Record<string, Work>): Record<string, Work> {
  const byCall = Map.groupBy(Object.entries(contestants), ([name]) => name.slice(0, name.indexOf(':')));
  return Object.fromEntries([...byCall.values()].flat());
}

/** The duration of each of `count` runs, in milliseconds. */
export async function timesOf(count: number, work: (index: number) => Promise<unknown>): Promise<number[]> {
  const times: number[] = [];
  for (let index = 0; index < count; index++) {
    const start = performance.now();
    await work(index);
    times.push(performance.now() - start);
  }
  return times;
}
