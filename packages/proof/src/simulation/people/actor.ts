import { AsyncLocalStorage } from 'node:async_hooks';

/** Work that proceeds in steps: a request in an instance, a sweep, an office's act. */
export type Actor = {
  name: string;
  /** Its process, if that can be killed. */
  instance: number | null;
  acting: Acting;
  state: 'waiting' | 'running' | 'over';
  /** What it will do when it is drawn next. */
  next: string;
  /** How far its process's clock is ahead, from sleeping. */
  aheadMilliseconds: number;
  /** How far its machine's wall clock is off. */
  skewMilliseconds: number;
  resume: () => void;
  /** Tells its caller that no answer will come. */
  hearNothing: () => void;
};

/** Decides when an actor may continue. */
export type Acting = {
  /** Resolves when the actor is drawn again; never if it was killed. */
  endStep(actor: Actor, where: string): Promise<void>;
};

const current = new AsyncLocalStorage<{ actor: Actor; isOutside: boolean }>();

export function actAs<Result>(actor: Actor, work: () => Promise<Result>): Promise<Result> {
  return current.run({ actor, isOutside: false }, work);
}

/** For work of the database and the provider: it takes real time, and no step ends in it. */
export function outside<Result>(work: () => Result): Result {
  const context = current.getStore();
  return context ? current.run({ ...context, isOutside: true }, work) : work();
}

/** Ends the current actor's step, if an actor runs this. */
export async function endStep(where: string): Promise<void> {
  const context = current.getStore();
  if (context && !context.isOutside) await context.actor.acting.endStep(context.actor, where);
}

/** A killed actor stops here for good. */
export function stopIfKilled(): Promise<void> {
  return current.getStore()?.actor.state === 'over' ? new Promise(() => {}) : Promise.resolve();
}

/**
 * Gives actors virtual time: a sleep ends their step and moves their process's clock, and nobody waits. Everybody else
 * keeps real time.
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
