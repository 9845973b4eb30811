const FAILURES_THAT_REST = 3;
const FIRST_REST_MILLISECONDS = 5_000;
const LONGEST_REST_MILLISECONDS = 60_000;

/** Backs off from a receiver that takes nothing, longer each time; drops reports meanwhile. */
export class ReportBreaker {
  readonly #now: () => number;
  #failures = 0;
  #restingUntil = 0;

  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** Whether a report may be sent now. After a rest one goes first; the others wait for its result. */
  admit(): boolean {
    if (this.#failures < FAILURES_THAT_REST) return true;
    if (this.#now() < this.#restingUntil) return false;
    this.#rest();
    return true;
  }

  note(isTaken: boolean): void {
    if (isTaken) {
      this.#failures = 0;
      return;
    }
    this.#failures++;
    if (this.#failures >= FAILURES_THAT_REST) this.#rest();
  }

  isSilent(): boolean {
    return this.#failures >= FAILURES_THAT_REST;
  }

  #rest(): void {
    const rest = FIRST_REST_MILLISECONDS * 2 ** Math.min(this.#failures - FAILURES_THAT_REST, 10);
    this.#restingUntil = this.#now() + Math.min(rest, LONGEST_REST_MILLISECONDS);
  }
}
