import { fileURLToPath } from 'node:url';
import { bundle } from '../../../../apps/api/test/bundle.ts';
import { readJsonLines } from '../../../../apps/api/test/crashes/json-lines-process.ts';
import { type Bounds, boundArguments, WIDEST } from './bounds.ts';
import { findPlantedBug, plantInDatabase, plantInSource } from './bugs/plant-bug.ts';
import type { SeedRun } from './run-simulations.ts';

const RUN = fileURLToPath(new URL('./run-simulations.ts', import.meta.url));

/** Plays seeds in a separate process until one fails, on the unchanged engine or with a planted bug. */
export async function playSeeds(options: {
  databaseUrl: string;
  from: number;
  count: number;
  bounds?: Bounds;
  /** The name of a planted bug. */
  bug?: string | undefined;
  trace?: boolean;
  onSeed?: (run: SeedRun) => void;
  signal?: AbortSignal;
}): Promise<SeedRun[]> {
  const { databaseUrl, from, count, bounds = WIDEST, trace = false, onSeed, signal } = options;
  const bug = options.bug === undefined ? undefined : findPlantedBug(options.bug);
  const program = await bundle(RUN, bug && plantInSource(bug));
  if (bug) await plantInDatabase(bug, databaseUrl);
  const runs: SeedRun[] = [];
  await readJsonLines<SeedRun>(
    [
      program,
      ...['--from', String(from), '--count', String(count)],
      ...boundArguments(bounds),
      ...(trace ? ['--trace'] : []),
    ],
    {
      env: { DATABASE_URL: databaseUrl },
      onLine: (run) => {
        runs.push(run);
        onSeed?.(run);
      },
      signal,
    },
  );
  return runs;
}
