import { Agent } from 'node:http';
import type { BenchFigure, BenchOptions } from '../../../tools/bench/bench.ts';
import { type BenchPortal, startBenchPortal, stopBenchPortal, withBenchPortal } from './rig/bench-portal.ts';
import { fillBooks, signIn } from './rig/fill-books.ts';
import { ask } from './rig/http-load.ts';
import { fillPayable, mintKey, signInPayer, startProvider, takeStatistics } from './rig/payer.ts';
import { cpuMilliseconds, withChildren } from './rig/process-facts.ts';
import { ofRounds } from './rig/statistics.ts';
import { takeTurns } from './rig/take-turns.ts';

const INSTANCES = 3;
const AT_ONCE = 8;

/** How much of the machine's cores each part of the system used. */
type Busy = { perSecond: number; portal: number; postgres: number; bench: number };

/** Reads and payments with one, two and three instances on one Postgres, and who used the processor. */
export default async function instancesBench({ short }: BenchOptions): Promise<BenchFigure[]> {
  const { emulator, settings } = await startProvider();
  const rounds = short ? { count: 1, seconds: 0.2 } : { count: 4, seconds: 1.5 };
  return withBenchPortal(
    settings,
    async (first) => {
      await fillBooks(first.databaseUrl, { short });
      // Even a payment every millisecond wouldn't use these up.
      await fillPayable(first.databaseUrl, (rounds.count + 1) * (INSTANCES + 1) * rounds.seconds * 200 + 100);
      const others = await Promise.all(
        Array.from({ length: short ? 0 : INSTANCES - 1 }, () =>
          startBenchPortal(first.database, { ...settings, PUBLIC_URL: first.url }),
        ),
      );
      const portals = [first, ...others];
      const counts = portals.map((_, index) => index + 1);
      const { headers } = await signIn(first, 10);
      const agent = new Agent({ keepAlive: true });
      let call = 0;
      const reads = contest(portals, rounds.seconds, (used) => {
        const portal = used[call++ % used.length] as BenchPortal;
        return ask({ url: `${portal.url}/api/user/invoice`, headers }, { agent });
      });

      let workOrder = 0;
      const payers = await Promise.all(
        counts.map((count) =>
          signInPayer(
            portals.slice(0, count).map(({ url }) => url),
            emulator,
          ),
        ),
      );
      const payments = contest(portals, rounds.seconds, async (used) => {
        await payers[used.length - 1]?.payAsGuest(++workOrder, await mintKey(emulator));
      });
      // Enough for each instance to have compiled the payment's code.
      for (let round = 0; round < rounds.count; round++) await payments[portals.length]?.();
      await takeStatistics(first.databaseUrl);
      const figures = [
        ...figuresOf('lists', await takeTurns(rounds.count, reads)),
        ...figuresOf('guest payments', await takeTurns(rounds.count, payments)),
      ];
      agent.destroy();
      await Promise.all(others.map(stopBenchPortal));
      return figures;
    },
    { short },
  );
}

/** The same work on the first, the first two and all instances. */
function contest(
  portals: BenchPortal[],
  seconds: number,
  work: (used: BenchPortal[]) => Promise<unknown>,
): Record<string, () => Promise<Busy>> {
  return Object.fromEntries(
    portals.map((_, index) => {
      const used = portals.slice(0, index + 1);
      return [`${used.length}`, () => busyWith(portals, seconds, () => work(used))];
    }),
  );
}

async function busyWith(
  portals: BenchPortal[],
  seconds: number,
  work: () => Promise<unknown>,
): Promise<Busy> {
  const postgres = portals[0]?.database.postgres.process.pid;
  const cpuNow = () => ({
    portal: cpuMilliseconds(...portals.map((portal) => portal.process.pid)),
    postgres: cpuMilliseconds(...withChildren(postgres)),
    bench: cpuMilliseconds(process.pid),
  });
  const before = cpuNow();
  const start = performance.now();
  let done = 0;
  const workOn = async () => {
    while (performance.now() - start < seconds * 1000) {
      await work();
      done++;
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, workOn));
  const milliseconds = performance.now() - start;
  const after = cpuNow();
  return {
    perSecond: (done / milliseconds) * 1000,
    portal: (after.portal - before.portal) / milliseconds,
    postgres: (after.postgres - before.postgres) / milliseconds,
    bench: (after.bench - before.bench) / milliseconds,
  };
}

function figuresOf(what: string, results: Record<string, Busy[]>): BenchFigure[] {
  return Object.entries(results).flatMap(([count, rounds]) => {
    const name = `${what}, ${count} ${count === '1' ? 'instance' : 'instances'}`;
    const each = (part: keyof Busy) => rounds.map((round) => round[part]);
    return [
      ofRounds({ name, unit: '/s' }, each('perSecond')),
      ofRounds({ name: `${name}: cores of the portal`, unit: '' }, each('portal')),
      ofRounds({ name: `${name}: cores of Postgres`, unit: '' }, each('postgres')),
      ofRounds({ name: `${name}: cores of who asks, and of the provider`, unit: '' }, each('bench')),
    ];
  });
}
