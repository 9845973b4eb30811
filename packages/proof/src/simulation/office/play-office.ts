import { cents } from '@brightpane/money/cents';
import type { Deps } from '../../../../../apps/api/src/deps.ts';
import { listRefundable } from '../../../../../apps/api/src/modules/console/refunds/requests/refundable.queries.ts';
import { compareBooks } from '../../../../../apps/api/src/modules/payments/books/compare-books.ts';
import { compareAfterRestore } from '../../../../../apps/api/src/modules/payments/restore/compare-after-restore.ts';
import { advanceEngineClock } from '../../../../../apps/api/test/books/engine-clock.ts';
import { sweep } from '../../../../../apps/api/test/books/sweep.ts';
import { APPROVED_CARD } from '../../../../../apps/api/test/emulator.ts';
import type { SeededRandom } from '../../../../../apps/api/test/seeded-random.ts';
import { outside } from '../people/actor.ts';
import { pay } from '../people/pay.ts';
import { tellOf } from '../people/told.ts';
import type { Play } from '../play.ts';
import type { SimulationRig } from '../rig.ts';
import { moveProviderClock } from '../world/move-provider-clock.ts';
import type { World } from '../world/world.ts';
import { type Answer, approve, ask, askAgain, dispute, newKey, review, withdraw } from './clerk-acts.ts';
import { drawRequest } from './clerk-requests.ts';
import type { Clerk } from './clerks.ts';
import { closeBatches } from './end-refunds.ts';
import type { Office } from './office.ts';
import type { OfficeAct } from './office-day.ts';
import { RefundHand } from './refunds-by-hand.ts';
import { refundsOf } from './refunds-of.ts';

type ClerkAct = Extract<OfficeAct, { clerk: number }>;

/** A request, and its answer at the last press. */
export type Asked = { clerk: string; idemKey: string; heard: Answer | null };

const PRESSES_AGAIN_PERCENT = 80;
const MOST_PRESSES = 3;
const DOUBLE_CLICKS_PERCENT = 20;
const WAKES_PERCENT = 80;
const WAKING: readonly OfficeAct['kind'][] = ['ask', 'approve', 'send-again', 'decide'];
const DECISIONS = ['adopt', 'not-made', 'keep-asking'] as const;

/** Plays an office once its payments are made: people request, approve and decide refunds, while troubles happen. */
export class OfficePlay {
  readonly asked: Asked[] = [];
  readonly hand: RefundHand;
  readonly #rig: SimulationRig;
  readonly #world: World;
  readonly #play: Play;
  readonly #random: SeededRandom;

  constructor(
    rig: SimulationRig,
    { world, play, random }: { world: World; play: Play; random: SeededRandom },
  ) {
    this.#rig = rig;
    this.#world = world;
    this.#play = play;
    this.#random = random;
    this.hand = new RefundHand(rig.emulator, rig.admin, random.fork());
  }

  async run(office: Office): Promise<void> {
    this.#play.trouble(this.#random.fork());
    for (const { seconds, acts } of office.rounds) {
      await advanceEngineClock(this.#rig.deps, seconds);
      await moveProviderClock(this.#rig);
      for (const act of acts) this.#begin(office, act, this.#random.fork());
      await this.#play.finish();
    }
  }

  #begin(office: Office, act: OfficeAct, random: SeededRandom): void {
    const play = this.#play;
    switch (act.kind) {
      case 'sweep':
        play.somewhere('sweep', random, sweep);
        break;
      case 'compare':
        play.somewhere('compare', random, compareBooks);
        break;
      case 'restore':
        play.somewhere('restore', random, (deps) => this.#restore(deps));
        break;
      case 'pay-again':
        this.#payAgain(random);
        break;
      case 'batches':
        play.beside('batches', () => closeBatches(this.#rig));
        break;
      case 'lower':
        play.beside('lower', () => this.#lower(random));
        break;
      case 'hand-refund':
        play.beside('refund by hand', () => this.hand.refund());
        break;
      case 'hand-void':
        play.beside('void by hand', () => this.hand.void());
        break;
      case 'unvoid':
        play.beside('unvoid by hand', () => this.hand.unvoid());
        break;
      default: {
        const clerk = office.clerks[act.clerk];
        if (clerk) play.join(this.#actAndWake(act.kind, clerk, random));
      }
    }
  }

  /** What leaves a refund to be sent wakes the tasks in some instance. */
  async #actAndWake(kind: ClerkAct['kind'], clerk: Clerk, random: SeededRandom): Promise<void> {
    const wakes = random.percent(WAKES_PERCENT) && WAKING.includes(kind);
    await this.#act(kind, clerk, random.fork());
    if (wakes) this.#play.somewhere('sweep', random, sweep);
  }

  async #act(kind: ClerkAct['kind'], clerk: Clerk, random: SeededRandom): Promise<void> {
    switch (kind) {
      case 'ask':
        return this.#ask(clerk, random);
      case 'approve':
        return this.#decide(clerk, random, {
          right: 'approve',
          states: ['requested'],
          work: (deps, { refundId }) => approve(deps, clerk, refundId),
        });
      case 'withdraw':
        return this.#decide(clerk, random, {
          right: 'refund',
          states: ['requested', 'waiting', 'held', 'sending', 'refused', 'not_made'],
          work: (deps, { refundId }) => withdraw(deps, clerk, refundId),
        });
      case 'send-again':
        return this.#askAgain(clerk, random);
      case 'decide': {
        const decision = random.pick(DECISIONS);
        const pick = random.fork();
        return this.#decide(clerk, random, {
          right: 'review',
          states: decision === 'not-made' ? ['held', 'made'] : ['held'],
          work: (deps, { refundId, keys }) =>
            review(deps, clerk, {
              refundId,
              decision,
              ...(decision === 'adopt' && { transactionKey: keys.length > 0 ? pick.pick(keys) : 'none' }),
            }),
        });
      }
      case 'dispute':
        return this.#dispute(clerk, random);
    }
  }

  /** Presses, and presses again with the same key if no answer came. */
  async #press(
    clerk: Clerk,
    random: SeededRandom,
    { idemKey, work }: { idemKey: string; work: (deps: Deps) => Promise<Answer> },
  ): Promise<void> {
    let heard: Answer | null = null;
    for (let press = 0; press < MOST_PRESSES && heard === null; press++) {
      const clicks = press === 0 && random.percent(DOUBLE_CLICKS_PERCENT) ? 2 : 1;
      const answers = await Promise.all(
        Array.from({ length: clicks }, () => this.#play.inInstance(clerk.name, random, work)),
      );
      for (const answer of answers) this.asked.push({ clerk: clerk.caller.id, idemKey, heard: answer });
      heard = answers.find((answer) => answer !== null) ?? null;
      if (!random.percent(PRESSES_AGAIN_PERCENT)) return;
    }
  }

  async #ask(clerk: Clerk, random: SeededRandom): Promise<void> {
    const paymentId = await this.#look(() => this.#pickPayment(random));
    if (!paymentId) return;
    const idemKey = newKey();
    const seen = await this.#play.inInstance(`${clerk.name} looks`, random, (deps) =>
      listRefundable(deps.db.query, { paymentId, actorId: clerk.caller.id }),
    );
    if (!seen || seen.length === 0) return;
    const body = drawRequest(random, seen);
    await this.#press(clerk, random, {
      idemKey,
      work: (deps) => ask(deps, clerk, { paymentId, idemKey, body }),
    });
  }

  async #askAgain(clerk: Clerk, random: SeededRandom): Promise<void> {
    const refund = await this.#look(() => this.#pickRefund(['refused', 'not_made', 'unknown'], random));
    if (!refund) return;
    const { refundId } = refund;
    const idemKey = newKey();
    await this.#press(clerk, random, {
      idemKey,
      work: (deps) => askAgain(deps, clerk, { refundId, idemKey }),
    });
  }

  async #decide(
    clerk: Clerk,
    random: SeededRandom,
    {
      right,
      states,
      work,
    }: {
      right: 'approve' | 'refund' | 'review';
      states: string[];
      work: (deps: Deps, refund: { refundId: string; keys: string[] }) => Promise<Answer>;
    },
  ): Promise<void> {
    if (!clerk.caller.rights.has(right)) return;
    const refund = await this.#look(() => this.#pickRefund(states, random));
    if (refund) await this.#play.inInstance(clerk.name, random, (deps) => work(deps, refund));
  }

  async #dispute(clerk: Clerk, random: SeededRandom): Promise<void> {
    const { admin } = this.#rig;
    const charge = await this.#look(async () => {
      const { rows } = await admin.query<{ chargeId: string; amountCents: number }>(
        `SELECT c.id AS "chargeId", c.amount_cents::integer AS "amountCents" FROM charge c
           JOIN charge_allocation a ON a.charge_id = c.id
          WHERE a.invoice_id = ANY($1) AND c.state = 'captured' ORDER BY a.invoice_id, c.amount_cents LIMIT 8`,
        [this.#invoiceIds()],
      );
      return rows.length > 0 ? random.pick(rows) : null;
    });
    if (!charge) return;
    const { chargeId, amountCents } = charge;
    await this.#play.inInstance(clerk.name, random, (deps) =>
      dispute(deps, clerk, { chargeId, amountCents: cents(amountCents) }),
    );
    if (!random.percent(50)) return;
    await this.#look(async () => {
      await admin.query(
        `UPDATE dispute SET outcome = 'won', ended_at = engine_now() WHERE charge_id = $1 AND outcome IS NULL`,
        [chargeId],
      );
      return null;
    });
  }

  #payAgain(random: SeededRandom): void {
    const invoice = random.pick(this.#world.invoices);
    const idempotencyKey = newKey();
    const payer = {
      name: `payer of ${idempotencyKey}`,
      address: idempotencyKey,
      user: null,
      invoices: [invoice],
      servicesCents: 0,
    };
    const work = this.#play.inInstance('payer again', random, async (deps) => {
      const paymentKey = await outside(() =>
        this.#rig.emulator.mintPaymentKey({ card: APPROVED_CARD, merchant: invoice.merchant }),
      );
      const begin = performance.now();
      return tellOf(await pay(deps, payer, { idempotencyKey, tipCents: 0, paymentKey }), begin);
    });
    this.#play.join(
      work.then((tale) => {
        const told = tale ?? tellOf(null, performance.now());
        this.#play.told.push({ payer: payer.name, idempotencyKey, tipCents: 0, isLastTry: false, ...told });
      }),
    );
  }

  /** Makes the database look restored, so that unfinished work is held. */
  async #restore(deps: Deps): Promise<void> {
    await deps.db.pool.query(
      `UPDATE deployment SET restore_noticed_at = coalesce(restore_noticed_at, engine_now())`,
    );
    // In one step: it reads several accounts' lists in parallel, and an actor can only continue in one place.
    await outside(() => compareAfterRestore(deps));
  }

  /** The nightly import lowers an amount, repeats the first one, or removes the tax. */
  async #lower(random: SeededRandom): Promise<void> {
    const { invoiceId, amountCents, taxCents } = random.pick(this.#world.invoices);
    const [amount, tax] = random.pick([
      [amountCents - random.integer(amountCents - taxCents), taxCents],
      [amountCents, taxCents],
      [amountCents - taxCents, 0],
    ] as const);
    await this.#rig.admin.query('UPDATE invoice SET amount_cents = $2, tax_cents = $3 WHERE id = $1', [
      invoiceId,
      amount,
      tax,
    ]);
  }

  #look<Seen>(work: () => Promise<Seen>): Promise<Seen | null> {
    return this.#play.outsideOfUs('a clerk looks', work);
  }

  async #pickPayment(random: SeededRandom): Promise<string | null> {
    const { rows } = await this.#rig.admin.query<{ id: string }>(
      `SELECT c.intent_id AS id FROM charge c JOIN charge_allocation a ON a.charge_id = c.id
        WHERE a.invoice_id = ANY($1) AND c.state IN ('accepted', 'captured')
        GROUP BY 1 ORDER BY min(a.invoice_id), sum(c.amount_cents)`,
      [this.#invoiceIds()],
    );
    return rows.length > 0 ? random.pick(rows).id : null;
  }

  async #pickRefund(
    states: string[],
    random: SeededRandom,
  ): Promise<{ refundId: string; keys: string[] } | null> {
    const refunds = (await refundsOf(this.#rig, this.#world)).filter(({ state }) => states.includes(state));
    if (refunds.length === 0) return null;
    const { refundId, orderId } = random.pick(refunds);
    const own = (await this.#rig.emulator.ledger()).filter((row) => row.orderid === orderId);
    return { refundId, keys: own.map(({ key }) => key) };
  }

  #invoiceIds(): number[] {
    return this.#world.invoices.map(({ invoiceId }) => invoiceId);
  }
}
