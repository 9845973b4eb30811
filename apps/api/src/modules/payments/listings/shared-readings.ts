import type { PaymentGateway } from '../../../gateway/payment-gateway.ts';
import { ListReading } from './list-reading.ts';

/** Longer than a minute's budget takes to return, and than the rest after one refused connection. */
const KEPT_MILLISECONDS = 10 * 60 * 1000;
/** Rows kept in memory by all idle readings. */
const MOST_KEPT_ROWS = 50_000;

type Step<Stopped> = () => Promise<Stopped>;

/** A reading shared by its waiters: they await the same page. */
class HeldReading {
  readonly reading = new ListReading();
  usedAt = performance.now();
  #underWay: Promise<unknown> | null = null;

  get isUnderWay(): boolean {
    return this.#underWay !== null;
  }

  step<Stopped>(readPage: Step<Stopped>): Promise<Stopped> {
    this.usedAt = performance.now();
    this.#underWay ??= readPage().finally(() => {
      this.#underWay = null;
      this.usedAt = performance.now();
    });
    return this.#underWay as Promise<Stopped>;
  }
}

class Readings {
  #held = new Map<PaymentGateway, HeldReading[]>();

  /** The furthest reading among those young enough, or a new one. */
  find(gateway: PaymentGateway, age: { since: Date; now: Date }): HeldReading {
    this.#forget();
    const held = this.#held.get(gateway) ?? [];
    const [best] = held
      .filter(({ reading }) => reading.isOf(age))
      .sort((one, other) => other.reading.offset - one.reading.offset);
    if (best) return best;
    const fresh = new HeldReading();
    this.#held.set(gateway, [...held, fresh]);
    return fresh;
  }

  #forget(): void {
    const oldest = performance.now() - KEPT_MILLISECONDS;
    let rows = 0;
    const kept = [...this.#held.values()]
      .flat()
      .sort((one, other) => other.usedAt - one.usedAt)
      .filter((held, index) => {
        rows += held.reading.size;
        const fits = index === 0 || rows <= MOST_KEPT_ROWS;
        return held.isUnderWay || (!held.reading.isBroken && held.usedAt > oldest && fits);
      });
    for (const [gateway, held] of this.#held) {
      const rest = held.filter((each) => kept.includes(each));
      if (rest.length > 0) this.#held.set(gateway, rest);
      else this.#held.delete(gateway);
    }
  }
}

const ofDatabase = new WeakMap<object, Readings>();

/** One process's readings. Kept only in memory, as they can be read again. */
export function readingsOf(database: object): Readings {
  const known = ofDatabase.get(database);
  if (known) return known;
  const fresh = new Readings();
  ofDatabase.set(database, fresh);
  return fresh;
}
