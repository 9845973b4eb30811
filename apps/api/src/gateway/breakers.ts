const FAILURES_THAT_OPEN = 5;

/** An account's breaker on this instance: its consecutive failures, and whether a probe is in progress. */
type Breaker = { failures: number; probing: boolean };

/** One circuit breaker per merchant account. While the provider fails, one payment at a time probes it. */
export class Breakers {
  readonly #known = new Map<number, Breaker>();
  readonly #failuresThatOpen: number;

  constructor({ failuresThatOpen = FAILURES_THAT_OPEN } = {}) {
    this.#failuresThatOpen = failuresThatOpen;
  }

  /** `isAnswered`: a readable answer that is no server error. It closes the breaker. */
  note(accountId: number, { isAnswered }: { isAnswered: boolean }): void {
    const breaker = this.#of(accountId);
    breaker.failures = isAnswered ? 0 : breaker.failures + 1;
  }

  /** Admits a payment until it calls `leave`; `null` while the breaker is open. */
  admit(accountId: number): { leave(): void } | null {
    const breaker = this.#of(accountId);
    if (breaker.failures < this.#failuresThatOpen) return { leave: () => {} };
    if (breaker.probing) return null;
    breaker.probing = true;
    return {
      leave: () => {
        breaker.probing = false;
      },
    };
  }

  #of(accountId: number): Breaker {
    const known = this.#known.get(accountId);
    if (known) return known;
    const fresh = { failures: 0, probing: false };
    this.#known.set(accountId, fresh);
    return fresh;
  }
}
