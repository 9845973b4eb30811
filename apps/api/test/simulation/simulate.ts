import { sweepUntilSettled } from '../books.ts';
import type { SimulationBench } from './bench.ts';
import { judge } from './oracle.ts';
import { Play, type Told } from './play.ts';
import { seededRandom } from './seeded-random.ts';
import { makeWorld } from './world.ts';

export type Simulation = {
  seed: number;
  /** What is not as it must be, in words. */
  wrong: string[];
  counts: Counts;
  told: Told[];
  trace: string[];
};

/** What happened in a simulation, so that a run can show that it was put to the test. */
export type Counts = {
  steps: number;
  /** Steps at which somebody waited for another's lock. */
  waits: number;
  crashes: number;
  databaseTroubles: number;
  providerTroubles: number;
  paid: number;
};

/** Bounds that are tightened to make a failing seed easier to read. */
export type Bounds = { payers: number; invoices: number };

export const WIDEST: Bounds = { payers: 6, invoices: 8 };

/** Plays one seed around the real engine, then lets everything settle on a healthy instance, and judges. */
export async function simulate(
  bench: SimulationBench,
  { seed, bounds = WIDEST }: { seed: number; bounds?: Bounds | undefined },
): Promise<Simulation> {
  const random = seededRandom(seed);
  await startAfresh(bench);
  const world = await makeWorld(bench, random.fork(), { seed, most: bounds });
  const play = new Play(bench, world, random.fork());
  await play.run();
  await sweepUntilSettled(bench.deps);
  const { told, broken, scheduler, counts } = play;
  const wrong = [...broken, ...bench.instances.leaked(), ...(await judge(bench, { world, told }))];
  return {
    seed,
    wrong,
    counts: {
      ...counts,
      steps: scheduler.trace.length,
      waits: scheduler.waits,
      paid: told.filter(({ heard }) => heard === 'paid').length,
    },
    told,
    trace: scheduler.trace,
  };
}

/** What was before must not change what a seed comes to. */
async function startAfresh({ admin, emulator }: SimulationBench): Promise<void> {
  await emulator.reset();
  await admin.query('DELETE FROM engine_clock');
  await admin.query('DELETE FROM provider_budget');
}
