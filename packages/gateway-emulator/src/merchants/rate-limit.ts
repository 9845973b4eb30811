const PER_MINUTE = 45;
const PER_DAY = 5000;
const MINUTE_MILLISECONDS = 60_000;
const DAY_MILLISECONDS = 24 * 60 * MINUTE_MILLISECONDS;

/** Counts calls per path segment and client address, refused ones included. */
export class RateLimit {
  #calls = new Map<string, number[]>();

  /** Counts one call; `header` is the value of X-Rate-Limit. */
  count(
    segment: string,
    address: string,
    now: number,
  ): { isExceeded: boolean; header: string; calls: number } {
    const name = `${segment} ${address}`;
    const today = (this.#calls.get(name) ?? []).filter((time) => time > now - DAY_MILLISECONDS);
    today.push(now);
    this.#calls.set(name, today);
    const thisMinute = today.filter((time) => time > now - MINUTE_MILLISECONDS).length;
    return {
      isExceeded: thisMinute > PER_MINUTE || today.length > PER_DAY,
      header: `${thisMinute} of ${PER_MINUTE}/min; ${today.length} of ${PER_DAY}/day`,
      calls: thisMinute,
    };
  }
}
