import type { UnpaidInvoice } from '../../../../../apps/api/test/factories/unpaid-invoices.ts';
import type { Attack, Round } from '../attack.ts';
import type { Heard } from '../races/heard.ts';
import { asCustomer, asGuest, makeSharedInvoices, type Press } from '../races/pay.ts';
import { waitUntil } from '../races/wait-until.ts';
import { mustGoBackOnce } from './must-go-back-once.ts';
import { type PortalProcess, startPortalProcess } from './portal-process.ts';
import { pressOverNetwork, pressUntilTold } from './press-over-network.ts';
import { type AskedRefund, giveBack, openRefundDesk } from './refund-load.ts';
import type { InstancesRig } from './rig.ts';

const AT_ONCE = 6;
/** Longer than a process drains. */
const SLOW_SECONDS = 3;
/** How many of the payments are given back at once, in percent. */
const GIVEN_BACK = 30;

export const restarts: Attack<InstancesRig>[] = [
  {
    id: 'F33',
    name: 'a rolling restart under load fails no payment and no refund, and says nothing worse than to try again',
    runs: 5,
    async run(rig, round) {
      let isRolling = true;
      const told: Heard[][] = [];
      const desk = await openRefundDesk(rig);
      const payers = Array.from({ length: AT_ONCE }, async (_, index) => {
        while (isRolling) {
          const { press, invoices } = await nextPress(rig, round, index);
          const heard = await pressUntilTold(rig.url, press);
          told.push(heard);
          const isGivenBack = desk.asked.length === 0 || round.random.percent(GIVEN_BACK);
          if (heard.at(-1)?.heard === 'paid' && isGivenBack)
            await giveBack(rig, desk, { invoices, random: round.random });
        }
      });
      await waitUntil(() => told.length > AT_ONCE, 'payments are made');
      for (const old of [...rig.processes]) await replace(rig, old);
      isRolling = false;
      await Promise.all(payers);
      rig.told.push(...told.flat());
      const failed = told.filter((heard) => heard.at(-1)?.heard !== 'paid' || !heard.every(isPaidOrLater));
      if (failed.length > 0) throw new Error(`${failed.length} of ${told.length}: ${inWords(failed)}`);
      const refused = desk.asked.filter(({ heard }) => !heard.every(isRequestedOrLater));
      if (refused.length > 0) throw new Error(`refunds heard ${JSON.stringify(refused)}`);
      await mustGoBackOnce(rig, desk);
    },
  },
  {
    id: 'F33 under way',
    name: 'SIGTERM lets payments that have begun come to their end, and the process ends in order',
    runs: 6,
    async run(rig, round) {
      const [ending] = rig.processes;
      if (!ending) throw new Error('no process runs');
      const [customer] = rig.customers;
      const isGuest = round.run % 2 === 0;
      const invoices = await makeSharedInvoices(rig, [customer], { invoices: isGuest ? 1 : 3 });
      const press = isGuest ? await asGuest(rig, invoices) : await asCustomer(rig, customer, invoices);
      const when = round.run % 4 < 2 ? 'before' : 'after';
      await rig.emulator.script({ fault: 'slow', when, seconds: SLOW_SECONDS, command: 'authonly' });
      const paying = pressOverNetwork(ending.url, press);
      await waitUntil(() => hasBegun(rig, press), 'the payment has begun');
      await replace(rig, ending);
      const told = await paying;
      rig.told.push(told);
      if (told.heard !== 'paid') throw new Error(`a payment under way ended with ${inWords([[told]])}`);
    },
  },
];

/**
 * Stops a process gracefully and starts another in its place, while the others run on. The proxy takes it out as it
 * begins to drain; what is connected by then is still served.
 */
async function replace(rig: InstancesRig, old: PortalProcess): Promise<void> {
  old.process.kill('SIGTERM');
  rig.processes.splice(rig.processes.indexOf(old), 1);
  rig.deal();
  const { code, signal } = await old.ended;
  rig.processes.push(await startPortalProcess(rig.env));
  rig.deal();
  if (code !== 0) throw new Error(`a process ended with ${code ?? signal}`);
}

/** A press of Pay, and the invoices that it pays. */
async function nextPress(
  rig: InstancesRig,
  { random }: Round,
  index: number,
): Promise<{ press: Press; invoices: UnpaidInvoice[] }> {
  const customer = rig.customers[index] ?? rig.customers[0];
  const invoices = await makeSharedInvoices(rig, [customer], { invoices: 1 + random.integer(3) });
  return random.percent(50)
    ? { press: await asGuest(rig, invoices), invoices: invoices.slice(0, 1) }
    : { press: await asCustomer(rig, customer, invoices), invoices };
}

async function hasBegun({ instances: [{ deps }] }: InstancesRig, { key }: Press): Promise<boolean> {
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
