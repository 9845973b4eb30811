import { parseArgs } from 'node:util';
import { giveActorsTime } from './actor.ts';
import { openBench } from './bench.ts';
import { type Counts, simulate, WIDEST } from './simulate.ts';

// A process that plays seeds on the database in DATABASE_URL, until one goes wrong, and says what it found as lines of
// JSON: `SimulationRun` at the end, and with --trace each step of each seed before.

export type SimulationRun = {
  seeds: number;
  /** The seed that went wrong, and how. */
  failure: { seed: number; wrong: string[] } | null;
  /** In how many seeds there were any. */
  seedsWith: Counts;
  totals: Counts;
};

const { values } = parseArgs({
  options: {
    from: { type: 'string', default: '1' },
    count: { type: 'string', default: '1' },
    payers: { type: 'string', default: String(WIDEST.payers) },
    invoices: { type: 'string', default: String(WIDEST.invoices) },
    trace: { type: 'boolean', default: false },
  },
});

const none: Counts = { steps: 0, waits: 0, crashes: 0, databaseTroubles: 0, providerTroubles: 0, paid: 0 };
const run: SimulationRun = { seeds: 0, failure: null, seedsWith: { ...none }, totals: { ...none } };

giveActorsTime();
const bench = await openBench(process.env.DATABASE_URL ?? '');
const bounds = { payers: Number(values.payers), invoices: Number(values.invoices) };
const first = Number(values.from);
for (let seed = first; seed < first + Number(values.count) && !run.failure; seed++) {
  const { wrong, counts, told, trace } = await simulate(bench, { seed, bounds });
  if (values.trace) say({ seed, counts, told, trace });
  run.seeds++;
  for (const name of Object.keys(none) as (keyof Counts)[]) {
    run.totals[name] += counts[name];
    if (counts[name] > 0) run.seedsWith[name]++;
  }
  if (wrong.length > 0) run.failure = { seed, wrong };
}
say(run);
// What a failure left open need not be closed.
if (!run.failure) await bench.close();
process.exit();

function say(line: object): void {
  process.stdout.write(`${JSON.stringify(line)}\n`);
}
