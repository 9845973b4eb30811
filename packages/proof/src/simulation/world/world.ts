import { randomUUID } from 'node:crypto';
import { APPROVED_CARD } from '../../../../../apps/api/test/emulator.ts';
import { makeInvoice } from '../../../../../apps/api/test/factories/invoices.ts';
import type { SeededRandom } from '../../../../../apps/api/test/seeded-random.ts';
import type { Bounds, TroubleName } from '../bounds.ts';
import { type Office, openOffice } from '../office/office.ts';
import type { SimulatedUser, SimulationRig } from '../rig.ts';
import { drawEvents, type Event } from './events.ts';

export type SimulatedInvoice = {
  invoiceId: number;
  franchiseId: number;
  workOrderNumber: number;
  merchant: string;
  /** As the office first set it. */
  amountCents: number;
  taxCents: number;
};

/** One person, what they want to pay, and how they behave. */
export type Payer = {
  name: string;
  /** Their address, for the limits on guests. */
  address: string;
  /** Signed in with a saved card; `null` for a guest. */
  user: SimulatedUser | null;
  /** A guest's card. */
  card: string;
  invoices: SimulatedInvoice[];
  tipCents: number;
  servicesCents: number;
  /** The payer's keys; a press of Pay after "not charged" uses the next one. */
  idempotencyKeys: string[];
  /** Presses Pay twice at once. */
  doubleClicks: boolean;
  /** Changes the tip without changing the key, as only a client with a bug would. */
  changesBody: boolean;
  /** The page sends the invoice versions it showed; without them, a press pays whatever is due. */
  saysWhatItSaw: boolean;
  /** Presses Pay once more at the end if no answer was certain. */
  comesBack: boolean;
};

/** Chances per thousand steps, statements or calls. */
export type Chances = {
  crashes: number;
  cuts: number;
  pauses: number;
  lostCommits: number;
  refusedStatements: number;
  badCalls: number;
  /** At a step at which a refund is with the provider: they are rare, and their answers must not be lost. */
  killedRefunds: number;
};

export type World = {
  /** The provider mistakes a second charge of the same card and amount for the first. */
  folds: boolean;
  /** How far each instance's machine clock is off, in milliseconds. */
  skews: number[];
  invoices: SimulatedInvoice[];
  payers: Payer[];
  /** What happens beside the payments, and the step at which it begins. */
  events: (Event & { atStep: number })[];
  perMille: Chances;
  /** What becomes of the payments afterwards; `null` if nobody requests a refund. */
  office: Office | null;
};

export const PRESSES = 3;

/** The bank declines one; the other's holds have to be verified first. */
const BAD_CARDS = ['4000300611112224', '4000301411112224'];
const MAX_INSTANCES = 3;
const MAX_PAYERS = 6;
const MAX_INVOICES = 8;
const MINUTE_MILLISECONDS = 60_000;
const DAY_MILLISECONDS = 24 * 60 * MINUTE_MILLISECONDS;
const SKEWS = [-DAY_MILLISECONDS, -5 * MINUTE_MILLISECONDS, 5 * MINUTE_MILLISECONDS, DAY_MILLISECONDS];
const CALM: Chances = {
  crashes: 0,
  cuts: 0,
  pauses: 0,
  lostCommits: 0,
  refusedStatements: 0,
  badCalls: 0,
  killedRefunds: 0,
};
const HARMLESS: readonly Event['kind'][] = ['sweep', 'compare'];

/** Nothing goes wrong in it, so somebody must be able to pay: one whom nobody with a bad card can block. */
export function isCalm({ perMille, events, payers, skews, folds }: World): boolean {
  return (
    Object.values(perMille).every((chance) => chance === 0) &&
    !folds &&
    skews.every((skew) => skew === 0) &&
    events.every(({ kind }) => HARMLESS.includes(kind)) &&
    payers.some((payer) =>
      payers.every((other) => other.card === APPROVED_CARD || !shareInvoice(payer, other)),
    )
  );
}

function shareInvoice(one: Payer, other: Payer): boolean {
  return one.invoices.some((invoice) => other.invoices.includes(invoice));
}

export const happens = ({ events }: World, ...kinds: Event['kind'][]): boolean =>
  events.some(({ kind }) => kinds.includes(kind));

/** Draws a world from a seed and creates its invoices. Bounds drop parts of it without changing the other draws. */
export async function makeWorld(
  rig: SimulationRig,
  random: SeededRandom,
  { seed, bounds }: { seed: number; bounds: Bounds },
): Promise<World> {
  const invoices = await makeInvoices(rig, random.fork(), bounds);
  const people = random.fork();
  const payers = Array.from({ length: 1 + people.integer(MAX_PAYERS) }, (_, index) =>
    drawPayer(rig, people.fork(), { seed, number: index + 1, invoices }),
  );
  const instances = Math.min(1 + random.integer(MAX_INSTANCES), bounds.instances);
  const isCalmSeed = random.percent(20);
  const skews = random.fork();
  const isAllowed = (name: TroubleName) => !bounds.without.includes(name);
  const folds = random.percent(20);
  return {
    folds: folds && !isCalmSeed && isAllowed('folding'),
    skews: Array.from({ length: instances }, () =>
      skews.percent(30) && !isCalmSeed && isAllowed('skews') ? skews.pick(SKEWS) : 0,
    ),
    invoices,
    payers: payers.slice(0, bounds.payers),
    events: drawEvents(random.fork(), { invoices, isCalm: isCalmSeed, isAllowed }),
    perMille: drawChances(random.fork(), { isCalm: isCalmSeed, isAllowed }),
    office: await openOffice(rig, random.fork(), { isCalm: isCalmSeed, isAllowed }),
  };
}

async function makeInvoices(
  rig: SimulationRig,
  random: SeededRandom,
  bounds: Bounds,
): Promise<SimulatedInvoice[]> {
  const places = rig.places.slice(0, 1 + random.integer(rig.places.length));
  const drawn = Array.from({ length: 1 + smaller(random, MAX_INVOICES) }, () => ({
    place: random.pick(places),
    amountCents: 5_00 + random.integer(200_00),
    taxCents: random.integer(5_00),
  }));
  const invoices: SimulatedInvoice[] = [];
  for (const { place, ...amounts } of drawn.slice(0, bounds.invoices)) {
    const { merchant, ...where } = place;
    const made = await makeInvoice(rig.deps.db.query, { ...where, ...amounts });
    invoices.push({ ...made, ...amounts, merchant });
  }
  return invoices;
}

function drawChances(
  random: SeededRandom,
  { isCalm, isAllowed }: { isCalm: boolean; isAllowed: (name: TroubleName) => boolean },
): Chances {
  const sometimes = (name: TroubleName, chance: number, most: number) => {
    const drawn = random.percent(chance) ? 1 + random.integer(most) : 0;
    return isAllowed(name) ? drawn : 0;
  };
  const chances = {
    crashes: sometimes('crashes', 60, 30),
    cuts: sometimes('cuts', 40, 30),
    pauses: sometimes('pauses', 40, 20),
    lostCommits: 40 * sometimes('lost-commits', 40, 4),
    refusedStatements: sometimes('refused-statements', 30, 40),
    badCalls: 120 * sometimes('bad-calls', 80, 5),
    killedRefunds: 100 * sometimes('crashes', 95, 10),
  };
  return isCalm ? CALM : chances;
}

/** The smaller of two draws, so that people meet on few invoices. */
function smaller(random: SeededRandom, below: number): number {
  return Math.min(random.integer(below), random.integer(below));
}

function drawPayer(
  rig: SimulationRig,
  random: SeededRandom,
  { seed, number, invoices }: { seed: number; number: number; invoices: SimulatedInvoice[] },
): Payer {
  const user = random.percent(50) ? random.pick(rig.users) : null;
  const chosen = new Set<SimulatedInvoice>();
  const wanted = user ? 1 + random.integer(4) : 1;
  while (chosen.size < Math.min(wanted, invoices.length)) chosen.add(random.pick(invoices));
  return {
    name: `payer ${number}`,
    address: `payer ${number} of ${seed}`,
    user,
    card: user === null && random.percent(10) ? random.pick(BAD_CARDS) : APPROVED_CARD,
    invoices: [...chosen],
    tipCents: random.percent(50) ? random.integer(20_00) : 0,
    servicesCents: random.percent(30) ? random.integer(6_00) - 3_00 : 0,
    idempotencyKeys: Array.from({ length: PRESSES }, () => randomUUID()),
    doubleClicks: random.percent(30),
    changesBody: random.percent(20),
    comesBack: random.percent(50),
    saysWhatItSaw: random.percent(50),
  };
}
