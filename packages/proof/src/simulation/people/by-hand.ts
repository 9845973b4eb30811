import type { LedgerRow, TestEmulator } from '../../../../../apps/api/test/emulator.ts';
import type { SeededRandom } from '../../../../../apps/api/test/seeded-random.ts';
import { isOpenHold } from '../judge/provider-ledger.ts';

/** No payer has this card, so its charges never fold into theirs. */
const OWN_CARD = '5555444433332226';

/** Somebody with access to the merchant accounts, who interferes there. */
export class Hand {
  /** Keys of the transactions they captured, and of the holds they made. */
  readonly captured = new Set<string>();
  readonly strays = new Set<string>();
  readonly #emulator: TestEmulator;
  readonly #random: SeededRandom;

  constructor(emulator: TestEmulator, random: SeededRandom) {
    this.#emulator = emulator;
    this.#random = random;
  }

  /** Releases one of our holds. */
  async void(): Promise<void> {
    const hold = await this.#pickHold();
    if (hold) await this.#transact(hold.merchant, { command: 'void', trankey: hold.key });
  }

  /** Captures one of our holds, accepted or not. */
  async capture(): Promise<void> {
    const hold = await this.#pickHold();
    if (!hold) return;
    // Recorded beforehand, since nobody knows who was first if the portal captures it too.
    this.captured.add(hold.key);
    await this.#transact(hold.merchant, { command: 'cc:capture', trankey: hold.key });
  }

  /** Charges a card of their own with the exact amount of one of our holds. */
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

  /** Closes the day: captured charges settle and can't be voided any more. */
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
