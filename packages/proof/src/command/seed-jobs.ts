import type { Bounds } from '../simulation/bounds.ts';
import { boundArguments } from '../simulation/bounds.ts';
import { playSeeds } from '../simulation/play-seeds.ts';
import { shrink } from '../simulation/shrink.ts';
import { type Findings, proveCommand } from './findings.ts';
import type { Job } from './run-jobs.ts';

const SEEDS_A_JOB = 50;
export type Surroundings = {
  findings: Findings;
  withDatabase: <Result>(work: (url: string) => Promise<Result>) => Promise<Result>;
  signal: AbortSignal;
};

/** Plays seeds on the unchanged engine. After a failed seed, the next ones get a new database. */
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
