import { inspect } from 'node:util';
import { sqlState } from '../../../../apps/api/src/db/client.ts';
import { databaseTrouble } from '../../../../apps/api/src/db/database-trouble.ts';
import type { Deps } from '../../../../apps/api/src/deps.ts';
import { compareBooks } from '../../../../apps/api/src/modules/payments/books/compare-books.ts';
import { advanceEngineClock } from '../../../../apps/api/test/books/engine-clock.ts';
import { sweep } from '../../../../apps/api/test/books/sweep.ts';
import type { SeededRandom } from '../../../../apps/api/test/seeded-random.ts';
import { outside } from './people/actor.ts';
import { Hand } from './people/by-hand.ts';
import { lookAtInvoices } from './people/look-at-invoices.ts';
import { type Heard, pay, type SeenVersions } from './people/pay.ts';
import { reviewAtRandom } from './people/review-at-random.ts';
import { type Told, tellOf } from './people/told.ts';
import type { SimulationRig } from './rig.ts';
import type { Event } from './world/events.ts';
import { ANSWERED, NOT_ANSWERED } from './world/observed-gateways.ts';
import { Scheduler } from './world/scheduler.ts';
import type { Trouble } from './world/trouble.ts';
import { type Payer, PRESSES, type World } from './world/world.ts';

const PRESSES_AGAIN_PERCENT = 75;
/** How often a page reloads before another press. */
const LOADS_AGAIN_PERCENT = 60;
const WAKES_PERCENT = 80;
/** Answers after which this key is finished. */
const NEW_KEY_AFTER: readonly Heard[] = ['not charged', 'changed meanwhile', 'paid earlier', 'not collected'];
const REFUSALS = ['40001', '40P01', '55P03', '57014'];
const MAX_PAUSE_MILLISECONDS = 180_000;
const MAX_PAUSE_STEPS = 100;
const LONGER_THAN_A_LEASE = { leastMilliseconds: 60_000, leastSteps: MAX_PAUSE_STEPS };
/** Compared to any other step. */
const MORE_OFTEN = 15;
/** Limited, because each sleep wakes a sweep elsewhere, which may fall asleep as well. */
const MOST_DISTURBED_LEASES = 3;
const MOST_KILLED_REFUNDS = 3;

/** What goes on in a world: people pay, tasks run and troubles happen. */
export class Play {
  readonly told: Told[] = [];
  /** Errors that nobody should have met. */
  readonly broken: string[] = [];
  readonly counts = { crashes: 0, crashesDuringRefunds: 0, databaseTroubles: 0, providerTroubles: 0 };
  readonly scheduler: Scheduler;
  readonly hand: Hand;
  readonly #rig: SimulationRig;
  readonly #world: World;
  readonly #random: SeededRandom;
  readonly #fate: SeededRandom;
  readonly #work: Promise<unknown>[] = [];
  #steps = 0;
  #disturbedLeases = 0;
  #killedRefunds = 0;

  constructor(rig: SimulationRig, world: World, random: SeededRandom) {
    this.#rig = rig;
    this.#world = world;
    this.#random = random;
    this.#fate = random.fork();
    this.hand = new Hand(rig.emulator, random.fork());
    this.scheduler = new Scheduler({
      random: random.fork(),
      countBlocked: () => rig.instances.countBlocked(),
      beforeStep: () => this.#disturb(),
    });
  }

  async run(): Promise<void> {
    const { payers, skews } = this.#world;
    await this.#rig.instances.start(skews.length);
    this.trouble(this.#random.fork());
    for (const payer of payers) this.join(this.#live(payer, this.#random.fork()));
    await this.finish();
  }

  /** Starts this world's troubles for the instances. */
  trouble(random: SeededRandom): void {
    this.#disturbedLeases = 0;
    this.#rig.instances.trouble = this.#trouble(random);
  }

  /** Runs until nobody has anything left to do. */
  async finish(): Promise<void> {
    await this.scheduler.run();
    await Promise.all(this.#work.splice(0));
  }

  join(work: Promise<unknown>): void {
    this.#work.push(work);
  }

  #begin(event: Event): void {
    const { admin, deps } = this.#rig;
    const { invoices } = this.#world;
    switch (event.kind) {
      case 'sweep':
        this.somewhere('sweep', this.#random, sweep);
        break;
      case 'compare':
        this.somewhere('compare', this.#random, compareBooks);
        break;
      case 'review': {
        const random = this.#random.fork();
        this.somewhere('review', this.#random, (own) => reviewAtRandom(own, { invoices, random }));
        break;
      }
      case 'clock':
        this.beside('clock', () => advanceEngineClock(deps, event.seconds));
        break;
      case 'raise':
        this.beside('raise', () =>
          admin.query('UPDATE invoice SET amount_cents = amount_cents + 100 WHERE id = $1', [
            event.invoiceId,
          ]),
        );
        break;
      default:
        this.beside(event.kind, () => this.hand[event.kind]());
    }
  }

  /** Runs outside of any instance, so no trouble affects it. */
  outsideOfUs<Result>(name: string, work: () => Promise<Result>): Promise<Result | null> {
    return this.scheduler.add({ name, instance: null }, () => outside(work));
  }

  /** The same, in the background; only the end waits for it. */
  beside(name: string, work: () => Promise<unknown>): void {
    this.join(this.outsideOfUs(name, work));
  }

  /** Runs in a random instance. */
  somewhere(name: string, random: SeededRandom, work: (deps: Deps) => Promise<unknown>): void {
    this.join(this.inInstance(name, random, work));
  }

  /** The same, for a caller who needs the result. */
  inInstance<Result>(
    name: string,
    random: SeededRandom,
    work: (deps: Deps) => Promise<Result>,
  ): Promise<Result | null> {
    return this.#inInstance(name, random.integer(this.#world.skews.length), work);
  }

  /** A payer presses Pay, gets an answer or none, and may press again. */
  async #live(payer: Payer, random: SeededRandom): Promise<void> {
    let keyIndex = 0;
    let seen = await this.#look(payer);
    for (let press = 0; press < PRESSES; press++) {
      const idempotencyKey = payer.idempotencyKeys[keyIndex] ?? '';
      const tips = Array.from({ length: press === 0 && payer.doubleClicks ? 2 : 1 }, (_, click) =>
        payer.changesBody && press + click > 0 ? payer.tipCents + 1_00 : payer.tipCents,
      );
      const clicks = tips.map((tipCents) =>
        this.inInstance(payer.name, random, async (deps) => {
          const paymentKey = await this.#mintPaymentKey(payer);
          const begin = performance.now();
          return tellOf(await pay(deps, payer, { idempotencyKey, tipCents, paymentKey, seen }), begin);
        }),
      );
      const tales = (await Promise.all(clicks)).map((tale) => tale ?? tellOf(null, performance.now()));
      const heard = tales.map((tale) => tale.heard);
      for (const [click, tale] of tales.entries()) {
        const tipCents = tips[click] ?? payer.tipCents;
        this.told.push({ payer: payer.name, idempotencyKey, tipCents, seen, isLastTry: false, ...tale });
      }
      // A decision wakes the tasks in some instance.
      if (random.percent(WAKES_PERCENT)) this.somewhere('sweep', this.#random, sweep);
      if (heard.includes('paid') || heard.includes('already paid')) return;
      if (heard.some((each) => NEW_KEY_AFTER.includes(each))) keyIndex++;
      if (!random.percent(PRESSES_AGAIN_PERCENT)) return;
      if (random.percent(LOADS_AGAIN_PERCENT)) seen = await this.#look(payer);
    }
  }

  /** Loads the page. A step of its own, so that others may act before or after it. */
  async #look(payer: Payer): Promise<SeenVersions | undefined> {
    if (!payer.saysWhatItSaw) return undefined;
    const { admin } = this.#rig;
    const look = () => outside(() => lookAtInvoices(admin, payer));
    return (await this.scheduler.add({ name: `${payer.name} looks`, instance: null }, look)) ?? undefined;
  }

  #mintPaymentKey({ user, card, invoices }: Payer): Promise<string> {
    if (user) return Promise.resolve('');
    return outside(() =>
      this.#rig.emulator.mintPaymentKey({ card, merchant: invoices[0]?.merchant ?? 'portal' }),
    );
  }

  /** `null` if it was killed or its database failed, so that nobody got an answer. */
  #inInstance<Result>(
    name: string,
    index: number,
    work: (deps: Deps) => Promise<Result>,
  ): Promise<Result | null> {
    const skewMilliseconds = this.#world.skews[index] ?? 0;
    return this.scheduler.add(
      { name: `${name} in ${index}`, instance: index, skewMilliseconds },
      async () => {
        try {
          return await work(this.#rig.instances.at(index).deps);
        } catch (error) {
          if (databaseTrouble(error) === null && !REFUSALS.includes(sqlState(error) ?? '')) {
            this.broken.push(`${name} met ${inspect(error)}`);
          }
          return null;
        }
      },
    );
  }

  #trouble(random: SeededRandom): Trouble {
    const { perMille } = this.#world;
    const count = (kind: 'databaseTroubles' | 'providerTroubles', happens: boolean) => {
      if (happens) this.counts[kind]++;
      return happens;
    };
    return {
      losesCommit: () => count('databaseTroubles', random.perMille(perMille.lostCommits)),
      refuses: () =>
        count('databaseTroubles', random.perMille(perMille.refusedStatements)) ? random.pick(REFUSALS) : null,
      noteDeadlock: () => this.broken.push('two transactions locked each other out'),
      draw: (ways) =>
        count('providerTroubles', random.perMille(perMille.badCalls)) ? random.pick(ways) : null,
      later: (name, work) => this.beside(`late ${name}`, work),
    };
  }

  /** Rarely, before a step: kills and restarts an instance, cuts a connection or puts an instance to sleep. */
  async #disturb(): Promise<void> {
    const { perMille, skews, events } = this.#world;
    this.#steps++;
    for (const event of events) if (event.atStep === this.#steps) this.#begin(event);
    const index = this.#fate.integer(skews.length);
    if (this.#fate.perMille(perMille.crashes)) await this.#kill(index);
    if (this.#fate.perMille(perMille.cuts) && (await this.#rig.instances.cutConnection(index))) {
      this.counts.databaseTroubles++;
    }
    if (this.#fate.perMille(perMille.pauses)) {
      // Sleep does most harm to an instance that holds a lease.
      const sweeping = this.#fate.percent(60) ? this.scheduler.whereIs('sweep') : undefined;
      this.#pause(sweeping ?? index);
    }
    await this.#disturbLeases();
    await this.#disturbRefunds();
  }

  /**
   * The worst moment is with a lease and an answer from the provider, neither stored: death leaves the lease behind, and
   * after a sleep the answer may be stale.
   */
  async #disturbLeases(): Promise<void> {
    const { crashes, pauses } = this.#world.perMille;
    const dies = this.#fate.perMille(MORE_OFTEN * crashes);
    const sleeps = this.#fate.perMille(MORE_OFTEN * pauses);
    // A lost answer and a frozen machine often come together.
    const freezes = this.#fate.percent(50) && pauses > 0;
    const silent = this.scheduler.whereIs('sweep', NOT_ANSWERED);
    if (this.#disturbedLeases === MOST_DISTURBED_LEASES) return;
    if (silent !== undefined && freezes) {
      this.#disturbedLeases++;
      return this.#pause(silent, LONGER_THAN_A_LEASE);
    }
    const answered = silent ?? this.scheduler.whereIs('sweep', ANSWERED);
    if (answered === undefined || !(dies || sleeps)) return;
    this.#disturbedLeases++;
    if (dies) await this.#kill(answered);
    else this.#pause(answered, LONGER_THAN_A_LEASE);
  }

  async #disturbRefunds(): Promise<void> {
    const dies = this.#fate.perMille(this.#world.perMille.killedRefunds);
    if (!dies || this.#killedRefunds === MOST_KILLED_REFUNDS) return;
    const moments = ['is sent', ANSWERED, NOT_ANSWERED].flatMap((then) => [`refund ${then}`, `void ${then}`]);
    const found = moments
      .map((where) => this.scheduler.whereIs('sweep', where))
      .find((at) => at !== undefined);
    if (found === undefined) return;
    this.#killedRefunds++;
    await this.#kill(found);
  }

  async #kill(index: number): Promise<void> {
    this.counts.crashes++;
    if (await this.#isRefunding()) this.counts.crashesDuringRefunds++;
    this.scheduler.kill(index);
    await this.#rig.instances.restart(index);
  }

  async #isRefunding(): Promise<boolean> {
    const { rows } = await this.#rig.admin.query(
      `SELECT FROM refund WHERE state IN ('sending', 'unknown') LIMIT 1`,
    );
    return rows.length > 0;
  }

  /** A process sleeps, perhaps longer than its lease, while the others take over its work. */
  #pause(index: number, { leastMilliseconds = 0, leastSteps = 0 } = {}): void {
    const milliseconds = leastMilliseconds + this.#fate.integer(MAX_PAUSE_MILLISECONDS);
    this.scheduler.pause(index, { milliseconds, steps: leastSteps + this.#fate.integer(MAX_PAUSE_STEPS) });
    const { deps } = this.#rig;
    const clock = this.outsideOfUs('clock', () => advanceEngineClock(deps, milliseconds / 1000));
    const elsewhere = (index + 1) % this.#world.skews.length;
    // Only after the clock moved: until then the leases keep everybody else out.
    this.join(clock.then(() => this.#inInstance('sweep', elsewhere, sweep)));
  }
}
