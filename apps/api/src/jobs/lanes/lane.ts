import type { Timers } from '../timers.ts';

export type LaneOptions = {
  name: string;
  /** One look: works off what is due, then ends. Errors count as failures; the caller logs them. */
  look: () => Promise<void>;
  pollMilliseconds: number;
  timers: Timers;
};

const LONGEST_BACK_OFF_MILLISECONDS = 10_000;

/**
 * Looks for one kind of work, one look at a time. A wake-up during a look only sets a flag: however many come, one more
 * look follows and nothing queues up.
 */
export class Lane {
  readonly name: string;
  readonly #options: LaneOptions;
  #underWay: Promise<void> | null = null;
  #startedAt: number | null = null;
  #isWoken = false;
  #isPolling = false;
  #isBackingOff = false;
  #isStopped = false;
  #failures = 0;
  #cancelTimer = () => {};

  constructor(options: LaneOptions) {
    this.name = options.name;
    this.#options = options;
  }

  /** Looks now, and then at every poll. */
  start(): void {
    this.#isPolling = true;
    this.wake();
  }

  wake(): void {
    if (this.#isStopped) return;
    if (this.#underWay || this.#isBackingOff) this.#isWoken = true;
    else this.#begin();
  }

  /** Runs one complete look that begins now, for callers who drive lanes by hand. */
  async look(): Promise<void> {
    while (this.#underWay) await this.#underWay;
    if (this.#isStopped) return;
    this.#begin();
    await this.idle();
  }

  /** Resolves when no look is running or about to follow. */
  async idle(): Promise<void> {
    while (this.#underWay) await this.#underWay;
  }

  isIdle(): boolean {
    return this.#underWay === null;
  }

  /** Starts no more looks, and waits for the current one. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#cancelTimer();
    await this.#underWay;
  }

  isStopped = (): boolean => this.#isStopped;

  /** How long the current look has taken; 0 between looks. */
  runningMilliseconds(): number {
    return this.#startedAt === null ? 0 : this.#options.timers.now() - this.#startedAt;
  }

  #begin(): void {
    this.#cancelTimer();
    this.#isWoken = false;
    this.#isBackingOff = false;
    this.#startedAt = this.#options.timers.now();
    this.#underWay = this.#options.look().then(
      () => this.#end(0),
      () => this.#end(this.#failures + 1),
    );
  }

  #end(failures: number): void {
    this.#failures = failures;
    this.#underWay = null;
    this.#startedAt = null;
    if (this.#isStopped) return;
    if (failures > 0) this.#backOff(failures);
    else if (this.#isWoken) this.#begin();
    else if (this.#isPolling) this.#beginAfter(this.#options.pollMilliseconds);
  }

  /** After a look that throws, as without a database, wake-ups don't retry before the back-off ends. */
  #backOff(failures: number): void {
    if (!this.#isPolling) return;
    this.#isBackingOff = true;
    this.#beginAfter(Math.min(1_000 * 2 ** failures, LONGEST_BACK_OFF_MILLISECONDS));
  }

  #beginAfter(milliseconds: number): void {
    this.#cancelTimer = this.#options.timers.after(milliseconds, () => this.#begin());
  }
}
