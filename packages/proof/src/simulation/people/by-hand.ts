import type { LedgerRow, TestEmulator } from '../../../../../apps/api/test/emulator.ts';
import type { SeededRandom } from '../../../../../apps/api/test/seeded-random.ts';
import { isOpenHold } from '../judge/provider-ledger.ts';

/** No payer has it, so nothing is folded into what is charged to it. */
const OWN_CARD = '5555444433332226';

/** Somebody with access to the merchant accounts, who does there what is none of their business. */
export class Hand {
  /** Keys of the transactions that were captured, and of the holds that were made. */
  readonly captured = new Set<string>();
  readonly strays = new Set<string>();
  readonly #emulator: TestEmulator;
  readonly #random: SeededRandom;

  constructor(emulator: TestEmulator, random: SeededRandom) {
    this.#emulator = emulator;
    this.#random = random;
  }

  /** Gives back a hold of ours. */
  async void(): Promise<void> {
    const hold = await this.#pickHold();
    if (hold) await this.#transact(hold.merchant, { command: 'void', trankey: hold.key });
  }

  /** Captures a hold of ours, accepted or not. */
  async capture(): Promise<void> {
    const hold = await this.#pickHold();
    if (!hold) return;
    // Written down before: nobody knows who was first if the portal captures it as well.
    this.captured.add(hold.key);
    await this.#transact(hold.merchant, { command: 'cc:capture', trankey: hold.key });
  }

  /** Charges a card of their own with the very amount of a hold of ours. */
  async stray(): Promise<void> {
    const hold = await this.#pickHold();
    if (!hold) return;
    const made = await this.#transact(hold.merchant, {
      command: 'cc:authonly',
      amount: hold.amount,
      orderid: 'by hand',
      creditcard: { number: OWN_CARD, expiration: '1230', cvc: '123' },
    });
    this.strays.add(String(made.key));
  }

  /** Closes the day: what is captured is settled, and cannot be given back any more. */
  async batch(): Promise<void> {
    const { name } = this.#random.pick(await this.#emulator.merchants());
    await this.#emulator.callAs(name, 'POST', '/batches/current/close', {});
  }

  #transact(merchant: string, body: object): Promise<Record<string, unknown>> {
    return this.#emulator.callAs(merchant, 'POST', '/transactions', body);
  }

  async #pickHold(): Promise<LedgerRow | null> {
    const rows = await this.#emulator.ledger();
    const holds = rows.filter((row) => isOpenHold(row) && !this.strays.has(row.key));
    return holds.length > 0 ? this.#random.pick(holds) : null;
  }
}
