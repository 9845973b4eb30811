import { AsyncLocalStorage } from 'node:async_hooks';

/** Somebody whose work goes on in steps: a request in an instance, a sweep, the office. */
export type Actor = {
  name: string;
  /** The process it runs in, if it runs in one that can be killed. */
  instance: number | null;
  acting: Acting;
  state: 'waiting' | 'running' | 'over';
  /** What it does next, once it is drawn. */
  next: string;
  /** How far the clock of its process is ahead: what it has slept. */
  aheadMilliseconds: number;
  /** How far the calendar of its machine is off. */
  skewMilliseconds: number;
  resume: () => void;
  /** Tells whoever waits for it that no answer will come. */
  hearNothing: () => void;
};

/** Who decides when an actor goes on. */
export type Acting = {
  /** Resolves when the actor is drawn again; never, if it was killed. */
  endStep(actor: Actor, where: string): Promise<void>;
};

const current = new AsyncLocalStorage<{ actor: Actor; isOutside: boolean }>();

export function actAs<Result>(actor: Actor, work: () => Promise<Result>): Promise<Result> {
  return current.run({ actor, isOutside: false }, work);
}

/** Does what the database and the provider do: it takes its own real time, and no step ends in it. */
export function outside<Result>(work: () => Result): Result {
  const context = current.getStore();
  return context ? current.run({ ...context, isOutside: true }, work) : work();
}

/** Ends the step of whoever runs this, if it is an actor's. */
export async function endStep(where: string): Promise<void> {
  const context = current.getStore();
  if (context && !context.isOutside) await context.actor.acting.endStep(context.actor, where);
}

/** Whoever was killed gets no further than here. */
export function stopIfKilled(): Promise<void> {
  return current.getStore()?.actor.state === 'over' ? new Promise(() => {}) : Promise.resolve();
}

/**
 * Gives actors a time of their own: who sleeps ends a step and finds the clock of the process so much later, and nobody
 * waits for it. Everybody else keeps the real time.
 */
export function giveActorsTime(): void {
  const { setTimeout } = globalThis;
  const now = performance.now.bind(performance);
  performance.now = () => now() + (current.getStore()?.actor.aheadMilliseconds ?? 0);
  const date = Date.now.bind(Date);
  Date.now = () => {
    const { aheadMilliseconds = 0, skewMilliseconds = 0 } = current.getStore()?.actor ?? {};
    return date() + aheadMilliseconds + skewMilliseconds;
  };
  const sleepOrSet = (work: (...values: unknown[]) => void, milliseconds = 0, ...values: unknown[]) => {
    const context = current.getStore();
    if (!context || context.isOutside) return setTimeout(work, milliseconds, ...values);
    void endStep(`sleeps ${milliseconds} ms`).then(() => {
      context.actor.aheadMilliseconds += milliseconds;
      work(...values);
    });
    return setTimeout(() => {});
  };
  globalThis.setTimeout = Object.assign(sleepOrSet, setTimeout) as typeof setTimeout;
}
