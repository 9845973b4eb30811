import { Agent } from 'node:http';
import type { BenchFigure, BenchOptions } from '../../../tools/bench/bench.ts';
import { withBenchPortal } from './rig/bench-portal.ts';
import { type Customer, fillBooks, SIZES, signIn } from './rig/fill-books.ts';
import { ask } from './rig/http-load.ts';
import { cpuMilliseconds } from './rig/process-facts.ts';
import { median, ofRounds } from './rig/statistics.ts';
import { takeTurns } from './rig/take-turns.ts';

const LOADS = ['/user/location', '/user/invoice', '/usaepay/portal/paymentmethods', '/user/invitations'];

/** The time of the dashboard's four loads together, by the number of invoices. */
export default async function dashboardBench({ short }: BenchOptions): Promise<BenchFigure[]> {
  return withBenchPortal(
    {},
    async (portal) => {
      await fillBooks(portal.databaseUrl, { short });
      const agent = new Agent({ keepAlive: true });
      const loadAll = async ({ headers }: Customer) => {
        const start = performance.now();
        await Promise.all(LOADS.map((path) => ask({ url: `${portal.url}/api${path}`, headers }, { agent })));
        return performance.now() - start;
      };
      const round = (customer: Customer) => async () => {
        const times: number[] = [];
        const before = cpuMilliseconds(portal.process.pid);
        for (let index = 0; index < (short ? 1 : 12); index++) times.push(await loadAll(customer));
        return {
          milliseconds: median(times),
          cpu: (cpuMilliseconds(portal.process.pid) - before) / times.length,
        };
      };
      const sizes = short ? SIZES.slice(0, 1) : SIZES;
      const customers = await Promise.all(sizes.map((size) => signIn(portal, size)));
      const contestants = Object.fromEntries(
        customers.map((customer, index) => [String(sizes[index]), round(customer)]),
      );
      const results = await takeTurns(short ? 1 : 7, contestants);
      agent.destroy();
      return Object.entries(results).flatMap(([size, rounds]) => [
        ofRounds(
          { name: `the four loads with ${size} invoices`, unit: 'ms' },
          rounds.map(({ milliseconds }) => milliseconds),
        ),
        ofRounds(
          { name: `CPU of the four loads with ${size} invoices`, unit: 'ms' },
          rounds.map(({ cpu }) => cpu),
        ),
      ]);
    },
    { short },
  );
}
