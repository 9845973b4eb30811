import { randomUUID } from 'node:crypto';
import { makeInvoice } from '../factories/invoices.ts';
import type { SimulatedUser, SimulationBench } from './bench.ts';
import type { SeededRandom } from './seeded-random.ts';

export type SimulatedInvoice = {
  invoiceId: number;
  franchiseId: number;
  workOrderNumber: number;
  merchant: string;
};

/** One person, what they want to pay, and how they go about it. */
export type Payer = {
  name: string;
  /** Where they sit, for the limits on guests. */
  address: string;
  /** Signed in, with a saved card; `null` is a guest. */
  user: SimulatedUser | null;
  invoices: SimulatedInvoice[];
  tipCents: number;
  servicesCents: number;
  /** The payer's own key; a press of Pay after an answer of "not charged" takes the next. */
  idempotencyKeys: string[];
  /** Presses Pay twice at once. */
  doubleClicks: boolean;
  /** Changes the tip without changing the key: only a client with a bug would. */
  changesBody: boolean;
};

export type Event =
  | { kind: 'sweep' }
  /** The engine's clock jumps ahead. */
  | { kind: 'clock'; seconds: number }
  /** The office adds a dollar to an invoice. */
  | { kind: 'raise'; invoiceId: number }
  /** Somebody gives a hold back at the provider. */
  | { kind: 'void' };

export type World = {
  instances: number;
  invoices: SimulatedInvoice[];
  payers: Payer[];
  /** What goes on beside the payments, and the step at which it begins. */
  events: (Event & { atStep: number })[];
  /** Chances in a thousand steps, statements or calls. */
  perMille: {
    crashes: number;
    cuts: number;
    pauses: number;
    lostCommits: number;
    refusedStatements: number;
    badCalls: number;
  };
};

export const PRESSES = 3;

/** Nothing goes wrong in it, so somebody must come to pay. */
export function isCalm({ perMille, events }: World): boolean {
  return perMille === CALM && events.every(({ kind }) => kind === 'sweep');
}

export const happens = ({ events }: World, kind: Event['kind']): boolean =>
  events.some((event) => event.kind === kind);

/** Draws a world from a seed, and makes its invoices. */
export async function makeWorld(
  bench: SimulationBench,
  random: SeededRandom,
  { seed, most }: { seed: number; most: { payers: number; invoices: number } },
): Promise<World> {
  const invoices: SimulatedInvoice[] = [];
  const places = bench.places.slice(0, 1 + random.integer(bench.places.length));
  for (let left = 1 + smaller(random, most.invoices); left > 0; left--) {
    const { merchant, ...place } = random.pick(places);
    const amountCents = 5_00 + random.integer(200_00);
    const made = await makeInvoice(bench.deps.db.query, {
      ...place,
      amountCents,
      taxCents: random.integer(5_00),
    });
    invoices.push({ ...made, merchant });
  }
  const payers = Array.from({ length: 1 + random.integer(most.payers) }, (_, index) =>
    drawPayer(bench, random.fork(), { seed, number: index + 1, invoices }),
  );
  const instances = 1 + random.integer(3);
  const sometimes = (chance: number, most: number) => (random.percent(chance) ? 1 + random.integer(most) : 0);
  const some = (count: number, event: () => Event) =>
    Array.from({ length: count }, () => ({ ...event(), atStep: random.integer(LAST_EVENT_STEP) }));
  const sweeps = some(random.integer(3), () => ({ kind: 'sweep' }));
  if (random.percent(20)) return { instances, invoices, payers, events: sweeps, perMille: CALM };
  return {
    instances,
    invoices,
    payers,
    events: [
      ...sweeps,
      ...some(sometimes(60, 3), () => ({ kind: 'clock', seconds: 5 + random.integer(80) })),
      ...some(sometimes(20, 1), () => ({ kind: 'raise', invoiceId: random.pick(invoices).invoiceId })),
      ...some(sometimes(15, 2), () => ({ kind: 'void' })),
    ],
    perMille: {
      crashes: sometimes(60, 30),
      cuts: sometimes(40, 30),
      pauses: sometimes(20, 10),
      lostCommits: 40 * sometimes(40, 4),
      refusedStatements: sometimes(30, 40),
      badCalls: 120 * sometimes(80, 5),
    },
  };
}

const LAST_EVENT_STEP = 200;
const CALM = { crashes: 0, cuts: 0, pauses: 0, lostCommits: 0, refusedStatements: 0, badCalls: 0 };

/** The smaller of two draws: people meet on few invoices. */
function smaller(random: SeededRandom, below: number): number {
  return Math.min(random.integer(below), random.integer(below));
}

function drawPayer(
  bench: SimulationBench,
  random: SeededRandom,
  { seed, number, invoices }: { seed: number; number: number; invoices: SimulatedInvoice[] },
): Payer {
  const user = random.percent(50) ? random.pick(bench.users) : null;
  const chosen = new Set<SimulatedInvoice>();
  const wanted = user ? 1 + random.integer(4) : 1;
  while (chosen.size < Math.min(wanted, invoices.length)) chosen.add(random.pick(invoices));
  return {
    name: `payer ${number}`,
    address: `payer ${number} of ${seed}`,
    user,
    invoices: [...chosen],
    tipCents: random.percent(50) ? random.integer(20_00) : 0,
    servicesCents: random.percent(30) ? random.integer(6_00) - 3_00 : 0,
    idempotencyKeys: Array.from({ length: PRESSES }, () => randomUUID()),
    doubleClicks: random.percent(25),
    changesBody: random.percent(10),
  };
}
