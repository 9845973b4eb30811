import type { Timers } from '../timers.ts';
import { Lane } from './lane.ts';

/**
 * One lane per merchant account with work, so that an account that hangs blocks only itself. A lane exists only while
 * it looks, so there are never more lanes than accounts.
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

  /** A wake-up may arrive right after a look, so check again; nothing runs between the last check and the deletion. */
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

  /** The accounts whose lanes are looking now, and for how long. */
  running(): { accountId: number; milliseconds: number }[] {
    return [...this.#lanes].map(([accountId, lane]) => ({
      accountId,
      milliseconds: lane.runningMilliseconds(),
    }));
  }
}
