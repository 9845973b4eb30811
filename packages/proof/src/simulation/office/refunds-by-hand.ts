import type pg from 'pg';
import type { LedgerRow, TestEmulator } from '../../../../../apps/api/test/emulator.ts';
import type { SeededRandom } from '../../../../../apps/api/test/seeded-random.ts';
import { isCaptured, isRefunded, isVoided } from '../judge/provider-ledger.ts';

/** Somebody with access to the merchant accounts, who makes or undoes refunds there. */
export class RefundHand {
  /** Keys of the refunds made by hand. */
  readonly refunds = new Set<string>();
  /** Orders of which a sale or a refund was voided by hand, or a void taken back. */
  readonly touched = new Set<string>();
  readonly #emulator: TestEmulator;
  readonly #admin: pg.Pool;
  readonly #random: SeededRandom;

  constructor(emulator: TestEmulator, admin: pg.Pool, random: SeededRandom) {
    this.#emulator = emulator;
    this.#admin = admin;
    this.#random = random;
  }

  /**
   * Refunds a settled sale. Mostly by the amount of a refund that was requested here and isn't made, so that the portal
   * may take it for its own; otherwise by any amount.
   */
  async refund(): Promise<void> {
    const sale = await this.#pick((row) => isCaptured(row) && row.status_code === 'S');
    if (!sale) return;
    const cents = Math.round(Number(sale.amount) * 100);
    const other = (1 + this.#random.integer(cents)) / 100;
    const { rows } = await this.#admin.query<{ amount: string }>(
      `SELECT to_char(r.amount_cents / 100.0, 'FM999999990.00') AS amount
         FROM refund r JOIN charge c ON c.id = r.charge_id
        WHERE c.order_id = $1 AND r.state NOT IN ('made', 'withdrawn') ORDER BY r.amount_cents LIMIT 1`,
      [sale.orderid],
    );
    const isEqual = this.#random.percent(60);
    const amount = (isEqual && rows[0]?.amount) || other.toFixed(2);
    const made = await this.#transact(sale, { command: 'refund', amount });
    if (made.result_code === 'A') this.refunds.add(String(made.key));
  }

  async void(): Promise<void> {
    const row = await this.#pick(
      (each) => each.status_code === 'P' && (isCaptured(each) || isRefunded(each)),
    );
    if (row) await this.#change(row, 'void');
  }

  /** Takes back the void of a captured sale. That of a hold which couldn't be captured would only revive the hold. */
  async unvoid(): Promise<void> {
    const { rows } = await this.#admin.query<{ orderId: string }>(
      `SELECT order_id AS "orderId" FROM charge WHERE state = 'captured'`,
    );
    const captured = new Set(rows.map(({ orderId }) => orderId));
    const row = await this.#pick((each) => isVoided(each) && captured.has(each.orderid));
    if (row) await this.#change(row, 'unvoid');
  }

  /** Notes the order before the call: if the portal acts at the same time, nobody can tell which was first. */
  async #change(row: LedgerRow, command: string): Promise<void> {
    this.touched.add(row.orderid);
    await this.#transact(row, { command });
  }

  #transact({ merchant, key }: LedgerRow, body: object): Promise<Record<string, unknown>> {
    return this.#emulator.callAs(merchant, 'POST', '/transactions', { trankey: key, ...body });
  }

  async #pick(is: (row: LedgerRow) => boolean): Promise<LedgerRow | null> {
    const rows = (await this.#emulator.ledger()).filter((row) => row.orderid !== 'by hand' && is(row));
    return rows.length > 0 ? this.#random.pick(rows) : null;
  }
}
