import { cents } from '@brightpane/money/cents';
import type { BenchFigure, BenchOptions } from '../../../tools/bench/bench.ts';
import { createUsaepayGateway } from '../src/gateway/usaepay/usaepay-gateway.ts';
import { type BenchPortal, withBenchPortal } from './rig/bench-portal.ts';
import {
  fillPayable,
  MERCHANT,
  mintKey,
  signInPayer,
  slowDown,
  startProvider,
  takeStatistics,
} from './rig/payer.ts';
import { cpuMilliseconds, withChildren } from './rig/process-facts.ts';
import { besides, median, ofRounds } from './rig/statistics.ts';
import { takeTurns } from './rig/take-turns.ts';

const SEVERAL = 10;

/** Before these, the portal is still compiling the payment's code, and the first payments take twice as long. */
const WARM_UP = { first: 20, guests: 600, several: 60 };

/**
 * What a guest's payment and a payment of ten cost beyond the provider's own time, with a fast and a slow provider, in a
 * warm portal; and what the first ones cost.
 */
export default async function paymentsBench({ short }: BenchOptions): Promise<BenchFigure[]> {
  const { emulator, settings } = await startProvider();
  const speeds = short
    ? [{ delay: 0, rounds: 1, payments: 1 }]
    : [
        { delay: 0, rounds: 7, payments: 20 },
        { delay: 300, rounds: 5, payments: 8 },
      ];
  return withBenchPortal(
    settings,
    async (portal) => {
      const warmUp = short ? { first: 1, guests: 1, several: 1 } : WARM_UP;
      const timed = speeds.reduce((sum, { rounds, payments }) => sum + (rounds + 1) * payments, 0);
      const invoices = warmUp.first + warmUp.guests + (timed + warmUp.several) * SEVERAL + timed;
      await fillPayable(portal.databaseUrl, invoices);
      const payer = await signInPayer([portal.url], emulator);
      const authorize = authorizer(emulator.url);
      let workOrder = 0;
      const next = () => ++workOrder;
      const guest = (key: string) => payer.payAsGuest(next(), key);
      const several = () => payer.paySeveral(Array.from({ length: SEVERAL }, next));
      const repeat = async (times: number, work: (key: string) => Promise<void>) => {
        const keys = await Promise.all(Array.from({ length: times }, () => mintKey(emulator)));
        return timesOf(portal, keys, work);
      };
      const first = await repeat(warmUp.first, guest);
      await repeat(warmUp.guests, guest);
      await repeat(warmUp.several, several);
      await takeStatistics(portal.databaseUrl);
      const figures: BenchFigure[] = [
        { name: 'guest payment right after a start, all of it', value: first.milliseconds, unit: 'ms' },
      ];
      for (const { delay, rounds, payments } of speeds) {
        await slowDown(emulator, delay);
        const results = await takeTurns(rounds, {
          guest: () => repeat(payments, guest),
          several: () => repeat(payments, several),
          provider: () => repeat(payments, authorize),
        });
        await slowDown(emulator, 0);
        const provider = results.provider.map(({ milliseconds }) => milliseconds);
        const onTop = (rounds: Times[]) =>
          rounds.map(({ milliseconds }, round) => milliseconds - (provider[round] ?? 0));
        const where = delay === 0 ? 'provider at once' : `provider after ${delay} ms`;
        figures.push(
          ofRounds({ name: `${where}: its own part`, unit: 'ms' }, provider),
          ofRounds(
            { name: `${where}: guest payment on top of it`, unit: 'ms', limit: { atMost: 25 } },
            onTop(results.guest),
          ),
          ofRounds({ name: `${where}: payment of ten on top of it`, unit: 'ms' }, onTop(results.several)),
        );
        if (delay === 0) {
          figures.push(...cpuOf('the portal', 'portal', results), ...cpuOf('Postgres', 'postgres', results));
        }
      }
      return figures;
    },
    { short },
  );
}

type Times = { milliseconds: number; portal: number; postgres: number };

/** What payments and their captures cost a program, of one invoice and of ten. */
function cpuOf(
  program: string,
  which: 'portal' | 'postgres',
  { guest, several }: Record<'guest' | 'several', Times[]>,
): BenchFigure[] {
  const cpu = (rounds: Times[]) => rounds.map((round) => round[which]);
  return [
    ofRounds({ name: `CPU of ${program} for a guest payment`, unit: 'ms' }, cpu(guest)),
    ofRounds({ name: `CPU of ${program} for a payment of ten`, unit: 'ms' }, cpu(several)),
    ofRounds(
      { name: `CPU of ${program}: payment of ten / guest payment`, unit: '', limit: { atMost: 2 } },
      besides(cpu(several), cpu(guest)),
    ),
  ];
}

/** One after the other: the median response time, and the CPU time per payment of the portal and of Postgres. */
async function timesOf(
  { process: portal, database }: BenchPortal,
  keys: string[],
  work: (key: string) => Promise<void>,
): Promise<Times> {
  const times: number[] = [];
  const servers = () => withChildren(database.postgres.process.pid);
  const before = { portal: cpuMilliseconds(portal.pid), postgres: cpuMilliseconds(...servers()) };
  for (const key of keys) {
    const start = performance.now();
    await work(key);
    times.push(performance.now() - start);
  }
  return {
    milliseconds: median(times),
    portal: (cpuMilliseconds(portal.pid) - before.portal) / times.length,
    postgres: (cpuMilliseconds(...servers()) - before.postgres) / times.length,
  };
}

/** The provider alone, called as the portal calls it. */
function authorizer(emulatorUrl: string): (paymentKey: string) => Promise<void> {
  const gateway = createUsaepayGateway({ baseUrl: `${emulatorUrl}/api/v2`, keys: MERCHANT });
  let order = 0;
  return async (paymentKey) => {
    const outcome = await gateway.authorize({
      orderId: `bench-${++order}`,
      amountCents: cents(108_25),
      card: { paymentKey },
      billing: {},
      description: 'bench',
      millisecondsLeft: () => 10_000,
    });
    if (outcome.kind !== 'approved') throw new Error(outcome.kind);
  };
}
