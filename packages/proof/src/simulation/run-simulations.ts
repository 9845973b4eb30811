import { parseArgs } from 'node:util';
import { openBench } from './bench.ts';
import { BOUND_OPTIONS, readBounds } from './bounds.ts';
import { giveActorsTime } from './people/actor.ts';
import { type Simulation, simulate } from './simulate.ts';

// A process that plays seeds on the migrated database in DATABASE_URL, until one goes wrong, and says what became of
// each as a line of JSON, `SeedRun`.

/** What became of a seed. With --trace it says how. */
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
const bench = await openBench(process.env.DATABASE_URL ?? '');
const bounds = readBounds(values);
const first = Number(values.from);
let hasFailed = false;
for (let seed = first; seed < first + Number(values.count) && !hasFailed; seed++) {
  const begin = performance.now();
  const { wrong, counts, ...how } = await simulate(bench, { seed, bounds });
  hasFailed = wrong.length > 0;
  say({ ...(values.trace && how), seed, wrong, counts, milliseconds: performance.now() - begin });
}
// What a failure left open need not be closed.
if (!hasFailed) await bench.close();
process.exit();

function say(run: SeedRun): void {
  process.stdout.write(`${JSON.stringify(run)}\n`);
}
