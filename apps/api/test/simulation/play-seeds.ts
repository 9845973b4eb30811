import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { PlantedBug } from './planted-bugs.ts';
import type { SimulationRun } from './run-simulations.ts';

const RUN = fileURLToPath(new URL('./run-simulations.ts', import.meta.url));
const PLANT = new URL('./plant-bug.ts', import.meta.url).href;

/** Plays seeds in a process of their own, around the engine as it is or with a bug planted in it. */
export async function playSeeds(options: {
  databaseUrl: string;
  from: number;
  count: number;
  bug?: PlantedBug['name'];
}): Promise<SimulationRun> {
  const { databaseUrl, from, count, bug } = options;
  const plant = bug === undefined ? [] : ['--import', PLANT];
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [...plant, RUN, '--from', String(from), '--count', String(count)],
    { env: { ...process.env, DATABASE_URL: databaseUrl, ...(bug !== undefined && { PLANTED_BUG: bug }) } },
  );
  return JSON.parse(stdout.trim().split('\n').at(-1) ?? '') as SimulationRun;
}
