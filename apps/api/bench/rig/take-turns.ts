/**
 * Runs every contestant once a round, each round beginning with another: whatever else the machine does falls on all of
 * them. Answers what each measured, round by round. A first round warms up and does not count.
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

/** The same call with few and with many invoices is made one after the other. */
export function besideOneAnother<Work>(contestants: Record<string, Work>): Record<string, Work> {
  const byCall = Map.groupBy(Object.entries(contestants), ([name]) => name.slice(0, name.indexOf(':')));
  return Object.fromEntries([...byCall.values()].flat());
}

/** How long each of so many runs took, in milliseconds. */
export async function timesOf(count: number, work: (index: number) => Promise<unknown>): Promise<number[]> {
  const times: number[] = [];
  for (let index = 0; index < count; index++) {
    const start = performance.now();
    await work(index);
    times.push(performance.now() - start);
  }
  return times;
}
