import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { BenchFigure, BenchOptions } from '../../../tools/bench/bench.ts';
import { openDatabase, type Queryable } from '../src/db/client.ts';
import { findInvoiceByThreeNumbers, selectUnpaidInvoices } from '../src/modules/invoices/invoices.queries.ts';
import { BENCH_SECRETS, type BenchPortal, withBenchPortal } from './rig/bench-portal.ts';
import { fillBooks, signIn, threeNumbers } from './rig/fill-books.ts';
import { type Load, load, type Target } from './rig/http-load.ts';
import { besides, ofRounds } from './rig/statistics.ts';
import { takeTurns } from './rig/take-turns.ts';

const AT_ONCE = 8;
const BARE_SERVER = fileURLToPath(new URL('./rig/bare-server.ts', import.meta.url));

/** The signed-in list and the guest's look-up, each compared with bare node:http and pg with the same prepared query. */
export default async function readsBench({ short }: BenchOptions): Promise<BenchFigure[]> {
  return withBenchPortal(
    { TRUST_PROXY: '1' },
    async (portal) => {
      await fillBooks(portal.databaseUrl, { short });
      const { userId, headers } = await signIn(portal, 10);
      const list = {
        ours: { url: `${portal.url}/api/user/invoice`, headers, process: portal.process },
        bare: {
          STATEMENT: await statementOf(portal, (db) => selectUnpaidInvoices(db, userId)),
          VALUES: JSON.stringify([userId]),
        },
      };
      const lookUp = {
        ours: {
          url: `${portal.url}/api/user/invoice/search`,
          headers: { 'x-apisecret': BENCH_SECRETS.apiSecret },
          process: portal.process,
          vary: askForOne,
        },
        bare: {
          STATEMENT: await statementOf(portal, (db) =>
            findInvoiceByThreeNumbers(db, { ...threeNumbers(0), zipKey: '62704' }),
          ),
          FIELDS: JSON.stringify(['franchiseId', 'workOrderNumber', 'zipCode']),
        },
      };
      const rounds = short ? { count: 1, seconds: 0.2 } : { count: 15, seconds: 1.5 };
      return [
        ...(await besideBare('list of 10 invoices', list, { portal, rounds })),
        ...(await besideBare('look-up', lookUp, { portal, rounds })),
      ];
    },
    { short },
  );
}

/** Guests have different addresses: a single one is limited to a few calls at once. */
function askForOne(call: number) {
  return {
    body: JSON.stringify(threeNumbers(call)),
    headers: { 'x-forwarded-for': `10.${(call >> 16) & 255}.${(call >> 8) & 255}.${call & 255}` },
  };
}

type Contest = { ours: Target; bare: Record<string, string> };

async function besideBare(
  name: string,
  { ours, bare }: Contest,
  { portal, rounds }: { portal: BenchPortal; rounds: { count: number; seconds: number } },
): Promise<BenchFigure[]> {
  const server = await startBare({ ...bare, DATABASE_URL: portal.databaseUrl });
  try {
    const measure = (target: Target) => () => load(target, { seconds: rounds.seconds, atOnce: AT_ONCE });
    const results = await takeTurns(rounds.count, {
      ours: measure(ours),
      bare: measure({ ...ours, ...server }),
    });
    const each = (who: 'ours' | 'bare', what: keyof Load) => results[who].map((round) => round[what]);
    const perSecond = besides(each('ours', 'perSecond'), each('bare', 'perSecond'));
    const perCall = besides(each('ours', 'cpuMilliseconds'), each('bare', 'cpuMilliseconds'));
    return [
      ofRounds({ name, unit: '/s' }, each('ours', 'perSecond')),
      ofRounds({ name: `${name}, bare`, unit: '/s' }, each('bare', 'perSecond')),
      ofRounds({ name: `${name} / bare`, unit: '', limit: { atLeast: 0.8 } }, perSecond),
      ofRounds({ name: `CPU of a ${name}`, unit: 'ms' }, each('ours', 'cpuMilliseconds')),
      ofRounds({ name: `CPU of a ${name} / bare`, unit: '', limit: { atMost: 1.5 } }, perCall),
    ];
  } finally {
    server.process.kill('SIGTERM');
    await once(server.process, 'exit');
  }
}

async function startBare(env: Record<string, string>): Promise<{ url: string; process: ChildProcess }> {
  const server = fork(BARE_SERVER, { env });
  const [url] = (await once(server, 'message')) as [string];
  return { url, process: server };
}

/** The statement's text, from the connection on which the portal prepared it. */
async function statementOf(
  { databaseUrl }: BenchPortal,
  run: (db: Queryable) => Promise<unknown>,
): Promise<string> {
  const single = openDatabase({ url: databaseUrl, poolSize: 1 });
  try {
    await run(single.query);
    const { rows } = await single.pool.query<{ statement: string }>(
      'SELECT statement FROM pg_prepared_statements',
    );
    return rows[0]?.statement ?? '';
  } finally {
    await single.close();
  }
}
