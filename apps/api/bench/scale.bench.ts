import { Agent } from 'node:http';
import { atEnd } from '../../../tools/bench/at-end.ts';
import type { BenchFigure, BenchOptions } from '../../../tools/bench/bench.ts';
import { BENCH_SECRETS, type BenchPortal, startBenchPortal } from './rig/bench-portal.ts';
import { ask } from './rig/http-load.ts';
import { fillPayable, mintKey, type Payer, signInPayer, startProvider } from './rig/payer.ts';
import { besides, median, ofRounds, quantile } from './rig/statistics.ts';
import { besideOneAnother, takeTurns, timesOf } from './rig/take-turns.ts';
import { addCustomers, type Headers, pickThreeNumbers, signInOwners } from './scale/measured-customers.ts';
import { type Books, describeBooks, openBooks, openBooksDeps } from './scale/open-books.ts';
import { TASKS } from './scale/tasks.ts';

const CUSTOMER_SIZES = [10, 3000];
/** The dashboard's loads, all at once. */
const LOADS = ['/user/location', '/user/invoice', '/usaepay/portal/paymentmethods', '/user/invitations'];
/** How much slower ten million invoices may be than ten thousand. */
const MOST_TIMES = 1.5;

type Plan = { sizes: number[]; rounds: number; calls: number; payments: number };

const FULL: Plan = { sizes: [10_000, 1_000_000, 10_000_000], rounds: 6, calls: 50, payments: 15 };
const SHORT: Plan = { sizes: [500, 1_000], rounds: 1, calls: 2, payments: 1 };

/**
 * What the same call costs with few invoices in the books and with very many. All books exist at the same time, and the
 * calls take turns on them.
 */
export default async function scaleBench({ short }: BenchOptions): Promise<BenchFigure[]> {
  const plan = short ? SHORT : FULL;
  const { emulator, settings } = await startProvider();
  const books = await openBooks({ sizes: plan.sizes, short });
  const figures = books.flatMap(describeBooks);

  const contestants: Record<string, () => Promise<number[]>> = {};
  for (const each of books) {
    const portal = await startBenchPortal(each, settings);
    const payable = (plan.rounds + 1) * plan.payments;
    await fillPayable(each.url, payable);
    const payer = await signInPayer([portal.url], emulator);
    const deps = await openBooksDeps(portal, settings);
    atEnd(() => deps.db.close());
    const [typical = {}, large = {}] = await addCustomers(deps, CUSTOMER_SIZES);
    const owners = await signInOwners(deps, plan.calls);
    const numbers = await pickThreeNumbers(deps, plan.calls);
    const agent = new Agent({ keepAlive: true });
    atEnd(async () => agent.destroy());
    const get = (path: string, headers: Headers) =>
      ask({ url: `${portal.url}/api${path}`, headers }, { agent });

    const calls: Record<string, (call: number) => Promise<unknown>> = {
      'list of 10 invoices': () => get('/user/invoice', typical),
      "list of anybody's": (call) => get('/user/invoice', owners[call % owners.length] ?? {}),
      'look-up of any invoice': (call) => lookUp(portal, { agent, numbers: numbers[call % numbers.length] }),
      'dashboard of 3,000 invoices': () => Promise.all(LOADS.map((path) => get(path, large))),
    };
    for (const [name, call] of Object.entries(calls)) {
      const count = name.startsWith('dashboard') ? Math.ceil(plan.calls / 10) : plan.calls;
      contestants[`${name}: ${each.name}`] = () => timesOf(count, call);
    }
    contestants[`guest payment: ${each.name}`] = payments(payer, { emulator, count: plan.payments });
    for (const [name, task] of Object.entries(TASKS)) {
      contestants[`${name}: ${each.name}`] = () => timesOf(1, () => task(deps));
    }
  }

  const times = await takeTurns(plan.rounds, besideOneAnother(contestants));
  for (const [name, rounds] of Object.entries(times)) figures.push(...spreadOf(name, rounds));
  const [smallest, largest] = [books[0], books.at(-1)] as [Books, Books];
  for (const call of [
    'list of 10 invoices',
    "list of anybody's",
    'look-up of any invoice',
    'guest payment',
  ]) {
    const mediansOf = ({ name }: Books) => (times[`${call}: ${name}`] ?? []).map(median);
    const [few, many] = [mediansOf(smallest), mediansOf(largest)];
    const name = `${call}: ${largest.name} beside ${smallest.name}`;
    figures.push(ofRounds({ name, unit: 'times', limit: { atMost: MOST_TIMES } }, besides(many, few)));
  }
  return figures;
}

function spreadOf(name: string, rounds: number[][]): BenchFigure[] {
  const all = rounds.flat();
  const medians = rounds.map(median);
  return [
    {
      name: `${name}, median`,
      value: median(all),
      unit: 'ms',
      spread: { from: Math.min(...medians), to: Math.max(...medians) },
    },
    { name: `${name}, 95th percentile`, value: quantile(all, 0.95), unit: 'ms' },
    { name: `${name}, 99th percentile`, value: quantile(all, 0.99), unit: 'ms' },
  ];
}

function lookUp({ url }: BenchPortal, { agent, numbers }: { agent: Agent; numbers: object | undefined }) {
  const headers = { 'x-apisecret': BENCH_SECRETS.apiSecret };
  const vary = () => ({ body: JSON.stringify(numbers) });
  return ask({ url: `${url}/api/user/invoice/search`, headers, vary }, { agent });
}

/** Each pays another invoice and waits for the previous answer. */
function payments(
  payer: Payer,
  { emulator, count }: { emulator: Parameters<typeof mintKey>[0]; count: number },
): () => Promise<number[]> {
  let workOrder = 0;
  return async () => {
    const keys = await Promise.all(Array.from({ length: count }, () => mintKey(emulator)));
    return timesOf(count, (index) => payer.payAsGuest(++workOrder, keys[index] ?? ''));
  };
}
