import type pg from 'pg';
import type { LedgerRow, TestEmulator } from '../../../../../apps/api/test/emulator.ts';
import type { SeededRandom } from '../../../../../apps/api/test/seeded-random.ts';
import { isCaptured, isRefunded } from '../judge/provider-ledger.ts';

/** Somebody with access to the merchant accounts, who makes or undoes refunds there. */
export class RefundHand {
  /** Keys of refunds made this way, and order ids of sales and refunds whose state was changed. */
  readonly refunds = new Set<string>();
  readonly touched = new Set<string>();
  readonly #emulator: TestEmulator;
  readonly #admin: pg.Pool;
  readonly #random: SeededRandom;

  constructor(emulator: TestEmulator, admin: pg.Pool, random: SeededRandom) {
    this.#emulator = emulator;
    this.#admin = admin;
    this.#random = random;
  }

  /** Refunds a settled sale: as somebody requested here too, or another amount. */
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

  /** Only of sales: taking back the void of a hold that could not be captured revives the hold, which refunds nothing. */
  async unvoid(): Promise<void> {
    const { rows } = await this.#admin.query<{ orderId: string }>(
      `SELECT order_id AS "orderId" FROM charge WHERE state = 'captured'`,
    );
    const captured = new Set(rows.map(({ orderId }) => orderId));
    const row = await this.#pick((each) => each.trantype_code === 'V' && captured.has(each.orderid));
    if (row) await this.#change(row, 'unvoid');
  }

  /** Recorded beforehand, since nobody knows who was first if the portal acts at the same time. */
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
