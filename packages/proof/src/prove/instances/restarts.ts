import type { UnpaidInvoice } from '../../../../../apps/api/test/factories/unpaid-invoices.ts';
import type { Attack, Round } from '../attack.ts';
import type { Heard } from '../races/heard.ts';
import { asCustomer, asGuest, makeSharedInvoices, type Press } from '../races/pay.ts';
import { waitUntil } from '../races/wait-until.ts';
import type { InstancesBench } from './bench.ts';
import { mustGoBackOnce } from './must-go-back-once.ts';
import { type PortalProcess, startPortalProcess } from './portal-process.ts';
import { pressOverNetwork, pressUntilTold } from './press-over-network.ts';
import { type AskedRefund, giveBack, openRefundDesk } from './refund-load.ts';

const AT_ONCE = 6;
/** Longer than a process drains. */
const SLOW_SECONDS = 3;
/** How many of the payments are given back at once, in percent. */
const GIVEN_BACK = 30;

export const restarts: Attack<InstancesBench>[] = [
  {
    id: 'F33',
    name: 'a rolling restart under load fails no payment and no refund, and says nothing worse than to try again',
    runs: 5,
    async run(bench, round) {
      let isRolling = true;
      const told: Heard[][] = [];
      const desk = await openRefundDesk(bench);
      const payers = Array.from({ length: AT_ONCE }, async (_, index) => {
        while (isRolling) {
          const { press, invoices } = await nextPress(bench, round, index);
          const heard = await pressUntilTold(bench.url, press);
          told.push(heard);
          const isGivenBack = desk.asked.length === 0 || round.random.percent(GIVEN_BACK);
          if (heard.at(-1)?.heard === 'paid' && isGivenBack)
            await giveBack(bench, desk, { invoices, random: round.random });
        }
      });
      await waitUntil(() => told.length > AT_ONCE, 'payments are made');
      for (const old of [...bench.processes]) await replace(bench, old);
      isRolling = false;
      await Promise.all(payers);
      bench.told.push(...told.flat());
      const failed = told.filter((heard) => heard.at(-1)?.heard !== 'paid' || !heard.every(isPaidOrLater));
      if (failed.length > 0) throw new Error(`${failed.length} of ${told.length}: ${inWords(failed)}`);
      const refused = desk.asked.filter(({ heard }) => !heard.every(isRequestedOrLater));
      if (refused.length > 0) throw new Error(`refunds heard ${JSON.stringify(refused)}`);
      await mustGoBackOnce(bench, desk);
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

/**
 * Stops a process gracefully and starts another in its place, while the others run on. The proxy takes it out as it
 * begins to drain; what is connected by then is still served.
 */
async function replace(bench: InstancesBench, old: PortalProcess): Promise<void> {
  old.process.kill('SIGTERM');
  bench.processes.splice(bench.processes.indexOf(old), 1);
  bench.deal();
  const { code, signal } = await old.ended;
  bench.processes.push(await startPortalProcess(bench.env));
  bench.deal();
  if (code !== 0) throw new Error(`a process ended with ${code ?? signal}`);
}

/** A press of Pay, and the invoices that it pays. */
async function nextPress(
  bench: InstancesBench,
  { random }: Round,
  index: number,
): Promise<{ press: Press; invoices: UnpaidInvoice[] }> {
  const customer = bench.customers[index] ?? bench.customers[0];
  const invoices = await makeSharedInvoices(bench, [customer], { invoices: 1 + random.integer(3) });
  return random.percent(50)
    ? { press: await asGuest(bench, invoices), invoices: invoices.slice(0, 1) }
    : { press: await asCustomer(bench, customer, invoices), invoices };
}

async function hasBegun({ instances: [{ deps }] }: InstancesBench, { key }: Press): Promise<boolean> {
  const { rows } = await deps.db.pool.query('SELECT FROM payment_intent WHERE idem_key = $1', [key]);
  return rows.length > 0;
}

const isPaidOrLater = ({ heard, status, retryAfter }: Heard) =>
  heard === 'paid' || (status === 503 && retryAfter !== undefined);

const isRequestedOrLater = ({ status, retryAfter }: AskedRefund['heard'][number]) =>
  status === 202 || (status === 503 && retryAfter !== undefined);

const inWords = (told: Heard[][]) =>
  told
    .slice(0, 5)
    .map((heard) => heard.map(({ status, body }) => `${status} ${JSON.stringify(body)}`).join(', then '))
    .join('\n');
