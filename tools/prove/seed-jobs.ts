import type { Bounds } from '../../apps/api/test/simulation/bounds.ts';
import { boundArguments } from '../../apps/api/test/simulation/bounds.ts';
import { playSeeds } from '../../apps/api/test/simulation/play-seeds.ts';
import { shrink } from '../../apps/api/test/simulation/shrink.ts';
import { type Findings, proveCommand } from './findings.ts';
import type { Job } from './run-jobs.ts';

const SEEDS_A_JOB = 50;
/** A planted bug has to be noticed by then. */
export const MOST_SEEDS_FOR_A_BUG = 500;

type Surroundings = {
  findings: Findings;
  withDatabase: <Result>(work: (url: string) => Promise<Result>) => Promise<Result>;
  signal: AbortSignal;
};

/** Seeds around the engine as it is. What comes after a seed that went wrong is played on another database. */
export function seedJobs(count: number, surroundings: Surroundings): Job[] {
  const { findings, signal } = surroundings;
  const play = (from: number, until: number): Job => ({
    name: `seeds ${from} to ${until - 1}`,
    run: async (databaseUrl) => {
      const onSeed = (run: Findings['seeds'][number]) => findings.seeds.push(run);
      const runs = await playSeeds({ databaseUrl, from, count: until - from, onSeed, signal });
      const last = runs.at(-1);
      if (!last || last.wrong.length === 0) return;
      const bounds = await shrinkSeed(last.seed, surroundings);
      const again = bounds ? boundArguments(bounds) : [];
      findings.failures.push({
        what: `seed ${last.seed}${bounds ? '' : ', which did not fail when it was played again alone'}`,
        wrong: last.wrong,
        command: proveCommand(['--seed', String(last.seed), ...again]),
      });
      if (last.seed + 1 < until) {
        await surroundings.withDatabase((url) => play(last.seed + 1, until).run(url));
      }
    },
  });
  const starts = Array.from(
    { length: Math.ceil(count / SEEDS_A_JOB) },
    (_, index) => 1 + index * SEEDS_A_JOB,
  );
  return starts.map((from) => play(from, Math.min(from + SEEDS_A_JOB, count + 1)));
}

function shrinkSeed(seed: number, { withDatabase, signal }: Surroundings): Promise<Bounds | null> {
  return shrink((bounds) =>
    withDatabase(async (databaseUrl) => {
      const [run] = await playSeeds({ databaseUrl, from: seed, count: 1, bounds, signal });
      return run !== undefined && run.wrong.length > 0;
    }),
  );
}

/** Planted bugs, each from the first seed on, until one of so many notices it that finds nothing wrong without it. */
export function bugJobs(
  names: readonly string[],
  { count, findings, withDatabase, signal }: Surroundings & { count: number },
): Job[] {
  return names.map((name) => ({
    name: `planted bug: ${name}`,
    run: async (databaseUrl) => {
      const begin = performance.now();
      const runs = await playSeeds({ databaseUrl, from: 1, count, bug: name, signal });
      const last = runs.at(-1);
      const noticed = last && last.wrong.length > 0 ? last : null;
      const [without] = noticed
        ? await withDatabase((url) => playSeeds({ databaseUrl: url, from: noticed.seed, count: 1, signal }))
        : [];
      const caughtBy = without?.wrong.length === 0 ? noticed : null;
      findings.bugs.push({
        name,
        seedsPlayed: runs.length,
        caughtBy,
        milliseconds: performance.now() - begin,
      });
      if (caughtBy) return;
      findings.failures.push({
        what: `planted bug: ${name}`,
        wrong: without
          ? [`seed ${without.seed} goes wrong without it as well`, ...without.wrong]
          : [`${runs.length} seeds do not notice it`],
        command: proveCommand(['--bug', name, '--seed', String(last?.seed ?? 1)]),
      });
    },
  }));
}
