import { fork } from 'node:child_process';
import { once } from 'node:events';
import { Agent } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { atEnd } from '../../../tools/bench/at-end.ts';
import type { BenchFigure, BenchOptions } from '../../../tools/bench/bench.ts';
import { GUEST } from '../test/factories/guest.ts';
import { type BenchDatabase, benchDatabase, withClient } from './rig/bench-database.ts';
import { BENCH_SECRETS, withBenchPortal } from './rig/bench-portal.ts';
import { ask, type Target } from './rig/http-load.ts';
import { FRANCHISE, fillPayable, mintKey, startProvider, takeStatistics } from './rig/payer.ts';
import { cpuMilliseconds, withChildren } from './rig/process-facts.ts';
import { besides, ofRounds } from './rig/statistics.ts';
import { takeTurns } from './rig/take-turns.ts';

const AT_ONCE = 8;
const BARE_PAYMENTS = fileURLToPath(new URL('./rig/bare-payments.ts', import.meta.url));

type Contestant = { target: Target; database: BenchDatabase };
type Cost = { perSecond: number; cpu: number; postgres: number };

/** Guests who pay eight at a time, captures included, compared with the least program that writes the same rows. */
export default async function paymentsAtOnceBench({ short }: BenchOptions): Promise<BenchFigure[]> {
  const { emulator, settings } = await startProvider();
  const rounds = short ? { count: 1, payments: 2, warmUp: 2 } : { count: 7, payments: 240, warmUp: 600 };
  return withBenchPortal(
    { ...settings, TRUST_PROXY: '1' },
    async (portal) => {
      const bare = await startBarePayments(settings, { short });
      const ours: Contestant = {
        database: portal.database,
        target: {
          url: `${portal.url}/api/usaepay/guestsale`,
          process: portal.process,
          headers: { 'x-apisecret': BENCH_SECRETS.apiSecret },
        },
      };
      const both = { ours, bare };
      const invoices = rounds.warmUp + (rounds.count + 1) * rounds.payments;
      for (const { database } of Object.values(both)) await fillPayable(database.url, invoices);
      await withClient(bare.database.url, (client) => client.query(WITHOUT_TRIGGERS));
      const paid = { ours: 0, bare: 0 };
      const pay = async (name: keyof typeof both, count: number) => {
        const keys = await Promise.all(Array.from({ length: count }, () => mintKey(emulator)));
        const from = paid[name];
        paid[name] += count;
        return payAll(both[name], { keys, from });
      };
      for (const name of ['ours', 'bare'] as const) {
        await pay(name, rounds.warmUp);
        await takeStatistics(both[name].database.url);
      }
      const results = await takeTurns(rounds.count, {
        ours: () => pay('ours', rounds.payments),
        bare: () => pay('bare', rounds.payments),
      });
      await bare.stop();
      return describe(results);
    },
    { short },
  );
}

/** As a superuser, because foreign keys are triggers, too. */
const WITHOUT_TRIGGERS = `
  DO $$ DECLARE each regclass; BEGIN
    FOR each IN SELECT DISTINCT tgrelid FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid
                 WHERE c.relnamespace = 'public'::regnamespace LOOP
      EXECUTE format('ALTER TABLE %s DISABLE TRIGGER ALL', each);
    END LOOP;
  END $$`;

async function startBarePayments(
  settings: Record<string, string>,
  { short }: { short: boolean },
): Promise<Contestant & { stop(): Promise<void> }> {
  const database = await benchDatabase({ short });
  await withClient(database.url, (client) =>
    client.query(`INSERT INTO merchant_account (public_key, api_key, pin) VALUES ('bare', 'bare', 'bare')`),
  );
  const child = fork(BARE_PAYMENTS, { env: { ...settings, DATABASE_URL: database.url } });
  atEnd(async () => void child.kill());
  const [url] = (await once(child, 'message')) as [string];
  return {
    database,
    target: { url, process: child, headers: {} },
    async stop() {
      const ended = once(child, 'exit');
      child.kill();
      await ended;
      await database.drop();
    },
  };
}

/** Pays that many work orders until the last is captured; returns the time per payment. */
async function payAll(
  { target, database }: Contestant,
  { keys, from }: { keys: string[]; from: number },
): Promise<Cost> {
  const agent = new Agent({ keepAlive: true, maxSockets: AT_ONCE });
  const servers = withChildren(database.postgres.process.pid);
  const before = { program: cpuMilliseconds(target.process.pid), postgres: cpuMilliseconds(...servers) };
  const start = performance.now();
  const vary = (call: number) => ({
    body: JSON.stringify({
      ...GUEST,
      franchiseId: FRANCHISE,
      workOrderNumber: from + call + 1,
      zipCode: GUEST.postalCode,
      paymentKey: keys[call],
      legalAccepted: true,
    }),
    // Guests have different addresses: a single one is limited to a few calls at once.
    headers: { 'x-forwarded-for': `10.0.${((from + call) >> 8) & 255}.${(from + call) & 255}` },
  });
  let calls = 0;
  const work = async () => {
    while (calls < keys.length) await ask({ ...target, vary }, { agent, call: calls++ });
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  await withClient(database.url, async (client) => {
    const open = `SELECT FROM charge WHERE state <> 'captured' LIMIT 1`;
    while ((await client.query(open)).rowCount !== 0) await sleep(20);
  });
  const seconds = (performance.now() - start) / 1000;
  agent.destroy();
  const spent = (pids: (number | undefined)[], until: number) =>
    (cpuMilliseconds(...pids) - until) / keys.length;
  return {
    perSecond: keys.length / seconds,
    cpu: spent([target.process.pid], before.program),
    postgres: spent(withChildren(database.postgres.process.pid), before.postgres),
  };
}

function describe({ ours, bare }: Record<'ours' | 'bare', Cost[]>): BenchFigure[] {
  const of = (costs: Cost[], what: keyof Cost) => costs.map((cost) => cost[what]);
  const beside = (what: keyof Cost) => besides(of(ours, what), of(bare, what));
  return [
    ofRounds({ name: 'guest payments, 8 at once', unit: '/s' }, of(ours, 'perSecond')),
    ofRounds({ name: 'the least program', unit: '/s' }, of(bare, 'perSecond')),
    ofRounds({ name: 'payments a second beside it', unit: '', limit: { atLeast: 0.5 } }, beside('perSecond')),
    ofRounds({ name: 'CPU of the portal for a payment', unit: 'ms' }, of(ours, 'cpu')),
    ofRounds({ name: 'CPU of the least program', unit: 'ms' }, of(bare, 'cpu')),
    ofRounds({ name: 'CPU of the portal beside it', unit: '', limit: { atMost: 2.5 } }, beside('cpu')),
    ofRounds({ name: 'CPU of Postgres for a payment', unit: 'ms' }, of(ours, 'postgres')),
    ofRounds({ name: 'CPU of Postgres for the least program', unit: 'ms' }, of(bare, 'postgres')),
    ofRounds({ name: 'CPU of Postgres beside it', unit: '', limit: { atMost: 2 } }, beside('postgres')),
  ];
}
