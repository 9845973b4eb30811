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
