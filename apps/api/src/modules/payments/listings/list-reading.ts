import type { ListOutcome, PartialRow, TransactionRecord } from '../../../gateway/payment-gateway.ts';
import { ListOrder } from './list-order.ts';

type Page = Extract<ListOutcome, { kind: 'page' }>;

/** A look soon after a lost answer needs only the newest rows; longer readings use fewer, larger pages. */
const FIRST_PAGE = 100;
const PAGE = 250;
/** Rows shift while the list grows, so each page repeats the end of the previous one. */
const OVERLAP = 10;
const MOST_REREADS = 3;
/** How far the engine's clock and the process's may drift apart while a reading is kept. */
const DRIFT_MILLISECONDS = 5_000;

/**
 * What has been read of an account's list, newest row first. Pages, totals and keys tell whether a row is
 * missing: each page must be as long as it claims, and the keys so far must match the total. Times only tell how
 * far back the reading reaches.
 */
export class ListReading {
  /** Every row seen, by order id, including rows of pages that don't fit. */
  readonly byOrderId = new Map<string, TransactionRecord[]>();
  readonly partial: PartialRow[] = [];
  isBroken = false;
  /** Whether the last page fits those before it. A page that doesn't may lack the newest rows. */
  isFitting = false;
  isAtEnd = false;
  offset = 0;
  #beganAt: Date | null = null;
  /** By this process's clock, which nobody sets back. */
  #begunAt = 0;
  readonly #order = new ListOrder();
  readonly #shown = new Set<string>();
  readonly #counted = new Set<string>();
  #firstTotal: number | null = null;
  #rereads = 0;

  /** By the engine's clock; null before the first page. */
  get beganAt(): Date | null {
    return this.#beganAt;
  }

  /** Call before asking for a page; only the first call counts. */
  begin(at: Date): void {
    if (this.#beganAt) return;
    this.#beganAt = at;
    this.#begunAt = performance.now();
  }

  /**
   * Whether the reading began at or after `since`; `now` is the engine's time. If that clock was set back, the start of
   * the reading says nothing about its age.
   */
  isOf({ since, now }: { since: Date; now: Date }): boolean {
    if (!this.#beganAt) return true;
    const passed = now.getTime() - this.#beganAt.getTime();
    const isSetBack = passed < performance.now() - this.#begunAt - DRIFT_MILLISECONDS;
    return this.#beganAt >= since && !isSetBack;
  }

  get size(): number {
    return this.#shown.size;
  }

  get next(): { offset: number; limit: number } {
    return { offset: this.offset, limit: this.#counted.size === 0 ? FIRST_PAGE : PAGE };
  }

  add(page: Page): void {
    this.#show(page);
    const keys = keysOf(page);
    this.#firstTotal ??= page.total;
    this.isFitting = this.#fits(page, keys);
    if (!this.isFitting) {
      this.#reread(page.limit);
      return;
    }
    const isNew = (row: TransactionRecord) => !this.#counted.has(row.transactionKey);
    this.#order.add(page.rows.filter(isNew).map((row) => row.createdAt));
    for (const key of keys) this.#counted.add(key);
    const end = this.offset + keys.length;
    this.isAtEnd = end >= page.total;
    this.offset = Math.max(this.offset + 1, end - OVERLAP);
  }

  /** Whether everything younger than `back`, by the merchant's clock, has been read. */
  reaches(back: Date): boolean {
    return this.isAtEnd || this.#order.isPast(back);
  }

  get newest(): Date | null {
    return this.#order.newest;
  }

  #show(page: Page): void {
    for (const row of page.rows) {
      if (this.#shown.has(row.transactionKey)) continue;
      this.#shown.add(row.transactionKey);
      this.byOrderId.set(row.orderId, [...(this.byOrderId.get(row.orderId) ?? []), row]);
    }
    for (const row of page.partial) {
      if (this.#shown.has(row.transactionKey)) continue;
      this.#shown.add(row.transactionKey);
      this.partial.push(row);
    }
  }

  /**
   * New rows since the first page must have shifted this page by exactly as many; rows that
   * disappeared must have closed up.
   */
  #fits(page: Page, keys: string[]): boolean {
    const isWhole = keys.length === Math.min(page.limit, Math.max(0, page.total - this.offset));
    const isUnique = new Set(keys).size === keys.length;
    const fresh = keys.filter((key) => !this.#counted.has(key)).length;
    const grown = page.total - (this.#firstTotal ?? page.total);
    const isContinued = this.offset === 0 || fresh < keys.length || page.total <= this.offset;
    return (
      isWhole && isUnique && isContinued && this.#counted.size + fresh === this.offset + keys.length - grown
    );
  }

  /** Steps back: rows that shifted out of this page are on the one before. The first page has none before it. */
  #reread(limit: number): void {
    this.#rereads++;
    if (this.#rereads > MOST_REREADS || this.#counted.size === 0) this.isBroken = true;
    this.offset = Math.max(0, this.offset - Math.ceil(limit / 2));
  }
}

const keysOf = (page: Page): string[] => [...page.rows, ...page.partial].map((row) => row.transactionKey);
