import { setTimeout as delay, setImmediate as turn } from 'node:timers/promises';
import type { SeededRandom } from '../../../../../apps/api/test/seeded-random.ts';
import { type Acting, type Actor, actAs } from '../people/actor.ts';

/** The first check of whether somebody waits; each later one takes twice as long to come, as a busy machine is slow. */
const CHECK_MILLISECONDS = 4;
const LONGEST_CHECK_MILLISECONDS = 32;
const STUCK_MILLISECONDS = 30_000;

/**
 * Lets one actor at a time take one step, and draws the next one. A step ends before each statement and around each call
 * to the provider, so the seed decides how they interleave. An actor that waits for another's lock is skipped.
 */
export class Scheduler implements Acting {
  readonly trace: string[] = [];
  /** How often an actor was left waiting for another. */
  waits = 0;
  readonly #actors = new Set<Actor>();
  readonly #random: SeededRandom;
  readonly #countBlocked: () => Promise<number>;
  readonly #beforeStep: () => Promise<void>;
  readonly #asleepUntil = new Map<number, number>();
  #steps = 0;
  #changed: () => void = () => {};

  constructor(options: {
    random: SeededRandom;
    /** How many actors wait for a lock or a connection of another. */
    countBlocked: () => Promise<number>;
    /** Called before each step; may kill an instance. */
    beforeStep: () => Promise<void>;
  }) {
    this.#random = options.random;
    this.#countBlocked = options.countBlocked;
    this.#beforeStep = options.beforeStep;
  }

  /** Adds an actor, which begins when it is drawn. `null` if its instance was killed before it finished. */
  add<Result>(
    {
      name,
      instance,
      skewMilliseconds = 0,
    }: Pick<Actor, 'name' | 'instance'> & Partial<Pick<Actor, 'skewMilliseconds'>>,
    work: () => Promise<Result>,
  ): Promise<Result | null> {
    return new Promise((resolve, reject) => {
      const actor: Actor = {
        name,
        instance,
        acting: this,
        state: 'waiting',
        next: '',
        aheadMilliseconds: 0,
        skewMilliseconds,
        resume: () => actAs(actor, work).then(finish(resolve), finish(reject)),
        hearNothing: () => resolve(null),
      };
      const finish = (end: (value: never) => void) => (value: unknown) => {
        if (actor.state === 'over') return;
        this.#end(actor);
        end(value as never);
      };
      this.#actors.add(actor);
    });
  }

  endStep(actor: Actor, where: string): Promise<void> {
    if (actor.state === 'over') return new Promise(() => {});
    actor.state = 'waiting';
    actor.next = where;
    return new Promise((resolve) => {
      actor.resume = () => {
        this.trace.push(`${actor.name}: ${where}`);
        resolve();
      };
      this.#changed();
    });
  }

  /** Stops everybody in the instance for good; their callers get no answer. */
  kill(instance: number): void {
    this.trace.push(`instance ${instance} is killed`);
    for (const actor of this.#in(instance)) {
      this.#end(actor);
      actor.hearNothing();
    }
  }

  /**
   * Stops the instance's process while others take that many steps or run out of work; when it wakes up, its clock has
   * moved on.
   */
  pause(instance: number, { milliseconds, steps }: { milliseconds: number; steps: number }): void {
    this.trace.push(`instance ${instance} sleeps ${milliseconds} ms`);
    for (const actor of this.#in(instance)) actor.aheadMilliseconds += milliseconds;
    this.#asleepUntil.set(instance, this.#steps + steps);
  }

  /** The instance that is doing this work, if it can be killed; with `next`, only one that is about to do that. */
  whereIs(work: string, next = ''): number | undefined {
    const found = [...this.#actors].find(
      (actor) => actor.instance !== null && actor.name.startsWith(work) && actor.next.endsWith(next),
    );
    return found?.instance ?? undefined;
  }

  /** Runs until everybody is done. */
  async run(): Promise<void> {
    for (;;) {
      await this.#rest();
      if (this.#actors.size === 0) return;
      if (this.#inState('waiting').length === 0) {
        await this.#nextChange(CHECK_MILLISECONDS);
        continue;
      }
      await this.#beforeStep();
      const waiting = this.#inState('waiting');
      if (waiting.length === 0) continue;
      const awake = waiting.filter((actor) => !this.#isAsleep(actor));
      // Sleepers wake up when nobody else has anything to do.
      const ready = awake.length > 0 ? awake : waiting;
      this.#steps++;
      const actor = this.#random.pick(ready);
      actor.state = 'running';
      actor.resume();
    }
  }

  /** Waits until every running actor has ended its step or waits for somebody else. */
  async #rest(): Promise<void> {
    const since = performance.now();
    let patience = CHECK_MILLISECONDS;
    for (;;) {
      // What follows an answer may need a turn of the event loop before it is added or waits.
      await turn();
      if (this.#inState('running').length === 0) return;
      await this.#nextChange(patience);
      patience = Math.min(2 * patience, LONGEST_CHECK_MILLISECONDS);
      const running = this.#inState('running').length;
      if (running === 0) continue;
      if ((await this.#countBlocked()) >= running && this.#inState('running').length === running) {
        this.waits++;
        return;
      }
      if (performance.now() - since > STUCK_MILLISECONDS) {
        const names = this.#inState('running').map((actor) => actor.name);
        throw new Error(`stuck: ${names.join(', ')}\n${this.trace.slice(-40).join('\n')}`);
      }
    }
  }

  #isAsleep({ instance }: Actor): boolean {
    return instance !== null && (this.#asleepUntil.get(instance) ?? 0) > this.#steps;
  }

  #end(actor: Actor): void {
    actor.state = 'over';
    this.#actors.delete(actor);
    this.#changed();
  }

  #in(instance: number): Actor[] {
    return [...this.#actors].filter((actor) => actor.instance === instance);
  }

  #inState(state: Actor['state']): Actor[] {
    return [...this.#actors].filter((actor) => actor.state === state);
  }

  /** Or after that long. */
  #nextChange(milliseconds: number): Promise<unknown> {
    const change = new Promise<void>((resolve) => {
      this.#changed = resolve;
    });
    return Promise.race([change, delay(milliseconds)]);
  }
}
