import { Agent } from 'node:http';
import type { BenchFigure, BenchOptions } from '../../../tools/bench/bench.ts';
import { openDatabase } from '../src/db/client.ts';
import type { Deps } from '../src/deps.ts';
import { makePayment, type PaidInvoice } from '../test/factories/payments/decided-payments.ts';
import { withClient } from './rig/bench-database.ts';
import { type BenchPortal, withBenchPortal } from './rig/bench-portal.ts';
import { BENCH_PASSWORD, type Customer, fillBooks, signIn } from './rig/fill-books.ts';
import { ask } from './rig/http-load.ts';
import { residentMegabytes } from './rig/process-facts.ts';
import { ofRounds, quantile } from './rig/statistics.ts';
import { takeTurns } from './rig/take-turns.ts';

/** Past years, in which nothing is paid any more. */
const LISTED_YEAR = new Date().getUTCFullYear() - 1;
const STATED_YEAR = LISTED_YEAR - 1;
const AT_ONCE = 8;

/** The calls of an account with many payments, compared with those of one whose payments fit a page. */
export default async function historyBench({ short }: BenchOptions): Promise<BenchFigure[]> {
  const [few, many, stated, exported] = short ? [20, 40, 10, 60] : [50, 5_000, 1_000, 10_000];
  return withBenchPortal(
    {},
    async (portal) => {
      await fillBooks(portal.databaseUrl, { short });
      const [small, large] = [await signIn(portal, 10), await signIn(portal, 300)];
      await payMany(portal, small, { count: few, year: LISTED_YEAR });
      await payMany(portal, large, { count: many - stated, year: LISTED_YEAR });
      await payMany(portal, large, { count: stated, year: STATED_YEAR });
      await withClient(portal.databaseUrl, (client) => client.query('VACUUM ANALYZE'));

      const agent = new Agent({ keepAlive: true });
      const get = ({ headers }: Customer, path: string) =>
        ask({ url: `${portal.url}/api${path}`, headers }, { agent });
      const timed = (work: () => Promise<unknown>) => async () => {
        const times: number[] = [];
        for (let index = 0; index < (short ? 2 : 20); index++) {
          const start = performance.now();
          await work();
          times.push(performance.now() - start);
        }
        // An account may have sixty statements an hour, so reset its limit.
        await withClient(portal.databaseUrl, (client) => client.query('DELETE FROM limit_counter'));
        return quantile(times, 0.95);
      };
      const list = `/user/payments?year=${LISTED_YEAR}`;
      const statement = `/user/statements?year=${STATED_YEAR}`;
      const { csvLink } = JSON.parse((await get(large, statement)).toString()) as { csvLink: string };
      const results = await takeTurns(short ? 1 : 7, {
        few: timed(() => get(small, list)),
        many: timed(() => get(large, list)),
        page: timed(() => get(large, statement)),
        file: timed(() => ask({ url: csvLink, headers: {} }, { agent })),
      });
      await payMany(portal, large, { count: exported - many, year: STATED_YEAR - 1 });
      const downloaded = await measureDownload(portal, large, agent);
      agent.destroy();
      const p95 = (name: string, rounds: number[], atMost?: number) =>
        ofRounds(
          {
            name: `${name}, 95th percentile`,
            unit: 'ms',
            ...(atMost !== undefined && { limit: { atMost } }),
          },
          rounds,
        );
      return [
        p95(`a page of ${few} payments that are all`, results.few),
        p95(`a page of ${many} payments`, results.many, 100),
        p95(`a statement of ${stated} lines of ${many}`, results.page, 200),
        p95('the same as a file', results.file, 200),
        { name: `a download of ${exported} payments`, value: downloaded.milliseconds, unit: 'ms' },
        { name: 'memory that it takes', value: downloaded.megabytes, unit: 'MB', limit: { atMost: 32 } },
      ];
    },
    { short },
  );
}

/** Invoices at one of the account's locations, each with its own payment, spread over a year. */
async function payMany(
  portal: BenchPortal,
  { userId }: Customer,
  { count, year }: { count: number; year: number },
): Promise<void> {
  const invoices = await withClient(portal.databaseUrl, async (client) => {
    const { rows } = await client.query<{ id: string }>(
      `INSERT INTO invoice (franchise_id, work_order_number, location_id, service, amount_cents, tax_cents,
                            tax_rate_ppm, due_date, completed_date, tips_enabled)
       SELECT l.franchise_id, 200000000 + (SELECT count(*) FROM invoice) + n, l.id, 'Windows; Gutters', 10825, 825,
              82500, '2026-11-30', '2026-11-03', true
         FROM generate_series(1, $1::integer) n
         JOIN (SELECT l.* FROM location l JOIN user_location ul ON ul.location_id = l.id
                WHERE ul.user_id = $2 ORDER BY l.id LIMIT 1) AS l ON true
       RETURNING id`,
      [count, userId],
    );
    return rows.map(({ id }) => Number(id));
  });
  const db = openDatabase({ url: portal.databaseUrl, poolSize: AT_ONCE });
  const deps = { db, env: { PUBLIC_URL: portal.url } } as Deps;
  const begin = Date.UTC(year, 0, 2);
  const pay = async (invoiceId: number, index: number) => {
    const at = new Date(begin + Math.floor((index / count) * 360 * 86_400_000)).toISOString();
    await makePayment(deps, { userId, invoices: [{ invoiceId } as PaidInvoice], at });
  };
  try {
    for (let first = 0; first < count; first += AT_ONCE) {
      await Promise.all(invoices.slice(first, first + AT_ONCE).map((id, index) => pay(id, first + index)));
    }
  } finally {
    await db.close();
  }
}

/** The download's duration, and how much more memory the process holds meanwhile. */
async function measureDownload(portal: BenchPortal, { headers }: Customer, agent: Agent) {
  const { pid } = portal.process;
  const before = residentMegabytes(pid);
  let most = before;
  const watch = setInterval(() => {
    most = Math.max(most, residentMegabytes(pid));
  }, 10);
  const start = performance.now();
  const body = JSON.stringify({ password: BENCH_PASSWORD });
  await ask({ url: `${portal.url}/api/user/export`, headers, vary: () => ({ body }) }, { agent });
  const milliseconds = performance.now() - start;
  clearInterval(watch);
  return { milliseconds, megabytes: most - before };
}
