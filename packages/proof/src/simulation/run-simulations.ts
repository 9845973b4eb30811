import { parseArgs } from 'node:util';
import { BOUND_OPTIONS, readBounds } from './bounds.ts';
import { giveActorsTime } from './people/actor.ts';
import { openRig } from './rig.ts';
import { type Simulation, simulate } from './simulate.ts';

// Plays seeds on the migrated database in DATABASE_URL until one fails, and prints each outcome as a line of JSON
// (`SeedRun`).

/** A seed's outcome; with --trace, also the steps that led to it. */
export type SeedRun = Pick<Simulation, 'seed' | 'wrong' | 'counts'> &
  Partial<Simulation> & { milliseconds: number };

const { values } = parseArgs({
  options: {
    from: { type: 'string', default: '1' },
    count: { type: 'string', default: '1' },
    trace: { type: 'boolean', default: false },
    ...BOUND_OPTIONS,
  },
});

giveActorsTime();
const rig = await openRig(process.env.DATABASE_URL ?? '');
const bounds = readBounds(values);
const first = Number(values.from);
let hasFailed = false;
for (let seed = first; seed < first + Number(values.count) && !hasFailed; seed++) {
  const begin = performance.now();
  const { wrong, counts, ...how } = await simulate(rig, { seed, bounds });
  hasFailed = wrong.length > 0;
  say({ ...(values.trace && how), seed, wrong, counts, milliseconds: performance.now() - begin });
}
// After a failure, leave open connections to the exit.
if (!hasFailed) await rig.close();
process.exit();

function say(run: SeedRun): void {
  process.stdout.write(`${JSON.stringify(run)}\n`);
}
