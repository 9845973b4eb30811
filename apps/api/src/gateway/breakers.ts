const FAILURES_THAT_OPEN = 5;

/** What this instance remembers of an account: how often in a row it failed, and whether a probe is under way. */
type Breaker = { failures: number; probing: boolean };

/** A breaker for each merchant account: while the provider fails on it, one payment at a time finds out. */
export class Breakers {
  readonly #known = new Map<number, Breaker>();
  readonly #failuresThatOpen: number;

  constructor({ failuresThatOpen = FAILURES_THAT_OPEN } = {}) {
    this.#failuresThatOpen = failuresThatOpen;
  }

  /** `isAnswered`: with something that can be read and is no server error. That closes the breaker. */
  note(accountId: number, { isAnswered }: { isAnswered: boolean }): void {
    const breaker = this.#of(accountId);
    breaker.failures = isAnswered ? 0 : breaker.failures + 1;
  }

  /** Lets a payment in, until it leaves; `null` while the account is closed to it. */
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
