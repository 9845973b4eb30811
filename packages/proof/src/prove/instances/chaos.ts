import { setTimeout as wait } from 'node:timers/promises';
import { advanceEngineClock } from '../../../../../apps/api/test/books/engine-clock.ts';
import type { Attack, Round } from '../attack.ts';
import { beginListingDay } from '../listing-day.ts';
import { asCustomer, asGuest, makeSharedInvoices, mustBePaidOnce, type Press } from '../races/pay.ts';
import { sweepThroughBacklog } from '../races/sweep-and-judge.ts';
import { mustGoBackOnce } from './must-go-back-once.ts';
import { spawnPortalProcess } from './portal-process.ts';
import { pressUntilTold } from './press-over-network.ts';
import { giveBack, openRefundDesk, type RefundDesk } from './refund-load.ts';
import type { InstancesRig } from './rig.ts';

/** Five minutes in the proof; less to try it out. */
const SECONDS = Number(process.env.CHAOS_SECONDS ?? 300);
const AT_ONCE = 8;
/** How many of the payments are given back at once, in percent. */
const GIVEN_BACK = 15;
const SHORTEST_MILLISECONDS = 200;
const LONGEST_PAYMENT_SECONDS = 66;
const LONGEST_MILLISECONDS = 2_000;

export const chaos: Attack<InstancesRig>[] = [
  {
    id: 'F32',
    name: 'processes that are killed at random under load: whoever pays is charged once, what is given back goes back once, and nobody is told a lie',
    runs: 3,
    async run(rig, round) {
      await beginListingDay(rig.instances[0].deps);
      const until = performance.now() + SECONDS * 1000;
      const isGoingOn = () => performance.now() < until;
      const desk = await openRefundDesk(rig);
      const payers = Array.from({ length: AT_ONCE }, (_, index) =>
        payOn(rig, round, { index, isGoingOn, desk }),
      );
      await killAtRandom(rig, round, isGoingOn);
      await Promise.all(payers);
      await sweepThroughBacklog(rig.instances[0].deps);
      await mustGoBackOnce(rig, desk);
    },
  },
];

/**
 * Makes one payment after the other, some of which are given back. A payer without a certain answer presses Pay again,
 * even after the last kill.
 */
async function payOn(
  rig: InstancesRig,
  round: Round,
  { index, isGoingOn, desk }: { index: number; isGoingOn: () => boolean; desk: RefundDesk },
): Promise<void> {
  const customer = rig.customers[index] ?? rig.customers[0];
  while (isGoingOn()) {
    const invoices = await makeSharedInvoices(rig, [customer], { invoices: 1 + round.random.integer(3) });
    const isGuest = round.random.percent(50);
    const next = () => (isGuest ? asGuest(rig, invoices) : asCustomer(rig, customer, invoices));
    const isPaid = async (press: Press) => {
      const told = await pressUntilTold(rig.url, press);
      rig.told.push(...told);
      return told.at(-1)?.heard === 'paid';
    };
    // "Not charged" is an answer too: the page then takes a new key, and people press Pay again.
    while (!(await isPaid(await next())));
    const paid = isGuest ? invoices.slice(0, 1) : invoices;
    await mustBePaidOnce(rig, paid);
    if (round.random.percent(GIVEN_BACK)) await giveBack(rig, desk, { invoices: paid, random: round.random });
  }
}

/** Kills one process after the other, even while it starts, and replaces each at once. */
async function killAtRandom(rig: InstancesRig, { random }: Round, isGoingOn: () => boolean): Promise<void> {
  while (isGoingOn()) {
    const span = LONGEST_MILLISECONDS - SHORTEST_MILLISECONDS;
    await wait(SHORTEST_MILLISECONDS + random.integer(span));
    const index = random.integer(rig.processes.length);
    await rig.processes[index]?.kill();
    rig.processes[index] = await spawnPortalProcess(rig.env);
    rig.deal();
  }
  await Promise.all(rig.processes.map(({ ready }) => ready));
  // Payers no longer have to wait for payments whose process died.
  await advanceEngineClock(rig.instances[0].deps, LONGEST_PAYMENT_SECONDS);
}
