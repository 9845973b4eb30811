import { setTimeout as wait } from 'node:timers/promises';
import { advanceEngineClock } from '../../../../../apps/api/test/books/engine-clock.ts';
import type { Attack, Round } from '../attack.ts';
import { beginListingDay } from '../listing-day.ts';
import { asCustomer, asGuest, makeSharedInvoices, mustBePaidOnce, type Press } from '../races/pay.ts';
import { sweepThroughBacklog } from '../races/sweep-and-judge.ts';
import type { InstancesBench } from './bench.ts';
import { mustGoBackOnce } from './must-go-back-once.ts';
import { spawnPortalProcess } from './portal-process.ts';
import { pressUntilTold } from './press-over-network.ts';
import { giveBack, openRefundDesk, type RefundDesk } from './refund-load.ts';

/** Five minutes in the proof; less to try it out. */
const SECONDS = Number(process.env.CHAOS_SECONDS ?? 300);
const AT_ONCE = 8;
/** How many of the payments are given back at once, in percent. */
const GIVEN_BACK = 15;
const SHORTEST_MILLISECONDS = 200;
const LONGEST_PAYMENT_SECONDS = 66;
const LONGEST_MILLISECONDS = 2_000;

export const chaos: Attack<InstancesBench>[] = [
  {
    id: 'F32',
    name: 'processes that are killed at random under load: whoever pays is charged once, what is given back goes back once, and nobody is told a lie',
    runs: 3,
    async run(bench, round) {
      await beginListingDay(bench.instances[0].deps);
      const until = performance.now() + SECONDS * 1000;
      const isGoingOn = () => performance.now() < until;
      const desk = await openRefundDesk(bench);
      const payers = Array.from({ length: AT_ONCE }, (_, index) =>
        payOn(bench, round, { index, isGoingOn, desk }),
      );
      await killAtRandom(bench, round, isGoingOn);
      await Promise.all(payers);
      await sweepThroughBacklog(bench.instances[0].deps);
      await mustGoBackOnce(bench, desk);
    },
  },
];

/**
 * Makes one payment after the other, some of which are given back. A payer without a certain answer presses Pay again,
 * even after the last kill.
 */
async function payOn(
  bench: InstancesBench,
  round: Round,
  { index, isGoingOn, desk }: { index: number; isGoingOn: () => boolean; desk: RefundDesk },
): Promise<void> {
  const customer = bench.customers[index] ?? bench.customers[0];
  while (isGoingOn()) {
    const invoices = await makeSharedInvoices(bench, [customer], { invoices: 1 + round.random.integer(3) });
    const isGuest = round.random.percent(50);
    const next = () => (isGuest ? asGuest(bench, invoices) : asCustomer(bench, customer, invoices));
    const isPaid = async (press: Press) => {
      const told = await pressUntilTold(bench.url, press);
      bench.told.push(...told);
      return told.at(-1)?.heard === 'paid';
    };
    // "Not charged" is an answer too: the page then takes a new key, and people press Pay again.
    while (!(await isPaid(await next())));
    const paid = isGuest ? invoices.slice(0, 1) : invoices;
    await mustBePaidOnce(bench, paid);
    if (round.random.percent(GIVEN_BACK))
      await giveBack(bench, desk, { invoices: paid, random: round.random });
  }
}

/** Kills one process after the other, even while it starts, and replaces each at once. */
async function killAtRandom(
  bench: InstancesBench,
  { random }: Round,
  isGoingOn: () => boolean,
): Promise<void> {
  while (isGoingOn()) {
    const span = LONGEST_MILLISECONDS - SHORTEST_MILLISECONDS;
    await wait(SHORTEST_MILLISECONDS + random.integer(span));
    const index = random.integer(bench.processes.length);
    await bench.processes[index]?.kill();
    bench.processes[index] = await spawnPortalProcess(bench.env);
    bench.deal();
  }
  await Promise.all(bench.processes.map(({ ready }) => ready));
  // Payers no longer have to wait for payments whose process died.
  await advanceEngineClock(bench.instances[0].deps, LONGEST_PAYMENT_SECONDS);
}
