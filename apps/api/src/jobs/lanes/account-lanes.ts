import type { Timers } from '../timers.ts';
import { Lane } from './lane.ts';

/**
 * A lane for each merchant account that has work, so that an account that hangs holds nothing but itself. A lane exists
 * while it looks: there are never more than accounts.
 */
export class AccountLanes {
  readonly #name: string;
  readonly #look: (accountId: number, isStopping: () => boolean) => Promise<void>;
  readonly #timers: Timers;
  readonly #lanes = new Map<number, Lane>();
  #isStopped = false;

  constructor(options: {
    name: string;
    look: (accountId: number, isStopping: () => boolean) => Promise<void>;
    timers: Timers;
  }) {
    this.#name = options.name;
    this.#look = options.look;
    this.#timers = options.timers;
  }

  wake(accountId: number): void {
    if (this.#isStopped) return;
    const known = this.#lanes.get(accountId);
    if (known) {
      known.wake();
      return;
    }
    const lane = new Lane({
      name: `${this.#name} ${accountId}`,
      look: () => this.#look(accountId, () => this.#isStopped),
      // Never polls: whoever finds due rows wakes it.
      pollMilliseconds: Number.POSITIVE_INFINITY,
      timers: this.#timers,
    });
    this.#lanes.set(accountId, lane);
    lane.wake();
    void this.#forgetWhenIdle(accountId, lane);
  }

  /** A wake-up may come right after a look; nobody can come between the last check and the deletion. */
  async #forgetWhenIdle(accountId: number, lane: Lane): Promise<void> {
    while (!lane.isIdle()) await lane.idle();
    this.#lanes.delete(accountId);
  }

  async idle(): Promise<void> {
    while (this.#lanes.size > 0) await Promise.all([...this.#lanes.values()].map((lane) => lane.idle()));
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    await Promise.all([...this.#lanes.values()].map((lane) => lane.stop()));
  }

  /** The accounts whose lanes look right now, with how long they have. */
  running(): { accountId: number; milliseconds: number }[] {
    return [...this.#lanes].map(([accountId, lane]) => ({
      accountId,
      milliseconds: lane.runningMilliseconds(),
    }));
  }
}
