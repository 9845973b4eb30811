import type { Attack, Round } from '../attack.ts';
import type { Heard } from '../races/heard.ts';
import { asCustomer, asGuest, makeSharedInvoices, type Press } from '../races/pay.ts';
import { waitUntil } from '../races/wait-until.ts';
import type { InstancesBench } from './bench.ts';
import { type PortalProcess, startPortalProcess } from './portal-process.ts';
import { pressOverNetwork, pressUntilTold } from './press-over-network.ts';

const AT_ONCE = 6;
const SLOW_SECONDS = 1;

export const restarts: Attack<InstancesBench>[] = [
  {
    id: 'F33',
    name: 'a rolling restart under load fails no payment, and says nothing worse than to try again',
    runs: 5,
    async run(bench, round) {
      let isRolling = true;
      const told: Heard[][] = [];
      const payers = Array.from({ length: AT_ONCE }, async (_, index) => {
        while (isRolling) told.push(await pressUntilTold(bench.url, await nextPress(bench, round, index)));
      });
      await waitUntil(() => told.length > AT_ONCE, 'payments are made');
      for (const old of [...bench.processes]) await replace(bench, old);
      isRolling = false;
      await Promise.all(payers);
      bench.told.push(...told.flat());
      const failed = told.filter((heard) => heard.at(-1)?.heard !== 'paid' || !heard.every(isPaidOrLater));
      if (failed.length > 0) throw new Error(`${failed.length} of ${told.length}: ${inWords(failed)}`);
    },
  },
  {
    id: 'F33 under way',
    name: 'SIGTERM lets payments that have begun come to their end, and the process ends in order',
    runs: 6,
    async run(bench, round) {
      const [ending] = bench.processes;
      if (!ending) throw new Error('no process runs');
      const [customer] = bench.customers;
      const isGuest = round.run % 2 === 0;
      const invoices = await makeSharedInvoices(bench, [customer], { invoices: isGuest ? 1 : 3 });
      const press = isGuest ? await asGuest(bench, invoices) : await asCustomer(bench, customer, invoices);
      const when = round.run % 4 < 2 ? 'before' : 'after';
      await bench.emulator.script({ fault: 'slow', when, seconds: SLOW_SECONDS, command: 'authonly' });
      const paying = pressOverNetwork(ending.url, press);
      await waitUntil(() => hasBegun(bench, press), 'the payment has begun');
      await replace(bench, ending);
      const told = await paying;
      bench.told.push(told);
      if (told.heard !== 'paid') throw new Error(`a payment under way ended with ${inWords([[told]])}`);
    },
  },
];

/** Stops a process gracefully and starts another in its place, while the others run on. */
async function replace(bench: InstancesBench, old: PortalProcess): Promise<void> {
  old.process.kill('SIGTERM');
  const { code, signal } = await old.ended;
  bench.processes[bench.processes.indexOf(old)] = await startPortalProcess(bench.env);
  bench.deal();
  if (code !== 0) throw new Error(`a process ended with ${code ?? signal}`);
}

async function nextPress(bench: InstancesBench, { random }: Round, index: number): Promise<Press> {
  const customer = bench.customers[index] ?? bench.customers[0];
  const invoices = await makeSharedInvoices(bench, [customer], { invoices: 1 + random.integer(3) });
  return random.percent(50) ? asGuest(bench, invoices) : asCustomer(bench, customer, invoices);
}

async function hasBegun({ instances: [{ deps }] }: InstancesBench, { key }: Press): Promise<boolean> {
  const { rows } = await deps.db.pool.query('SELECT FROM payment_intent WHERE idem_key = $1', [key]);
  return rows.length > 0;
}

const isPaidOrLater = ({ heard, status, retryAfter }: Heard) =>
  heard === 'paid' || (status === 503 && retryAfter !== undefined);

const inWords = (told: Heard[][]) =>
  told
    .slice(0, 5)
    .map((heard) => heard.map(({ status, body }) => `${status} ${JSON.stringify(body)}`).join(', then '))
    .join('\n');
