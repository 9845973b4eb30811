const HOUR_MILLISECONDS = 60 * 60 * 1000;

/** Counts something per client address, and remembers which addresses are cut off. */
export class AddressLimit {
  #counted = new Map<string, number[]>();
  #cutOffUntil = new Map<string, number>();

  isCutOff(address: string, now: number): boolean {
    return now < (this.#cutOffUntil.get(address) ?? 0);
  }

  /** Counts one; the first above the limit cuts its address off for an hour. */
  count(address: string, now: number, perHour: number): void {
    const recent = (this.#counted.get(address) ?? []).filter((time) => time > now - HOUR_MILLISECONDS);
    recent.push(now);
    this.#counted.set(address, recent);
    if (recent.length <= perHour) return;
    this.#cutOffUntil.set(address, now + HOUR_MILLISECONDS);
    this.#counted.delete(address);
  }
}
