import { parseAnswer } from './parse-answer.ts';
import type { OneAnswer } from './send-once.ts';
import { errorCodeOf, refusedStatus } from './usaepay/provider-answers.ts';

const REFUSALS_THAT_REST = 5;
const PROBE_MILLISECONDS = 3 * 60 * 1000;
/** The provider has locked our address out after too many failures. */
const LOCKED_OUT = 10140;

/**
 * Whether the provider refuses one account's keys. Each refused call is a failed sign-in to it, and many of them lock the
 * host out, with every other account. So after a few in a row, only one call every few minutes asks again.
 */
export class RefusedKeys {
  readonly #now: () => number;
  #refusals = 0;
  #nextProbeAt = 0;

  constructor(now: () => number) {
    this.#now = now;
  }

  /** Only an answer from behind the sign-in shows that the keys are good; a failing provider shows nothing. */
  note(answer: OneAnswer): void {
    const parsed = parseAnswer(answer);
    if (!parsed || parsed.status === 429 || parsed.status >= 500) return;
    if (parsed.status !== 401 && parsed.status !== 403) {
      this.#refusals = 0;
      return;
    }
    if (refusedStatus(parsed, [401, 403]) === undefined) return;
    this.#refusals = errorCodeOf(parsed.body) === LOCKED_OUT ? REFUSALS_THAT_REST : this.#refusals + 1;
    this.#nextProbeAt = this.#now() + PROBE_MILLISECONDS;
  }

  /** Whether a call may be made. Of those in a rest, the first that comes late enough. */
  mayCall(): boolean {
    if (this.#refusals < REFUSALS_THAT_REST) return true;
    const now = this.#now();
    if (now < this.#nextProbeAt) return false;
    this.#nextProbeAt = now + PROBE_MILLISECONDS;
    return true;
  }
}
