import { fileURLToPath } from 'node:url';
import { readJsonLines } from '../json-lines-process.ts';
import { type Bounds, boundArguments, WIDEST } from './bounds.ts';
import type { SeedRun } from './run-simulations.ts';

const RUN = fileURLToPath(new URL('./run-simulations.ts', import.meta.url));
const PLANT = new URL('./plant-bug.ts', import.meta.url).href;

/** Plays seeds in a process of their own until one goes wrong, around the engine as it is or with a bug planted in it. */
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
  const { databaseUrl, from, count, bounds = WIDEST, bug, trace = false, onSeed, signal } = options;
  const runs: SeedRun[] = [];
  await readJsonLines<SeedRun>(
    [
      ...(bug === undefined ? [] : ['--import', PLANT]),
      RUN,
      ...['--from', String(from), '--count', String(count)],
      ...boundArguments(bounds),
      ...(trace ? ['--trace'] : []),
    ],
    {
      env: { DATABASE_URL: databaseUrl, ...(bug !== undefined && { PLANTED_BUG: bug }) },
      onLine: (run) => {
        runs.push(run);
        onSeed?.(run);
      },
      signal,
    },
  );
  return runs;
}
