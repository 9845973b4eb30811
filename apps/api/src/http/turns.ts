import type { Failure, Success } from './result.ts';
import { fail, ok } from './result.ts';

/** Limits concurrent work per key in this process; the rest waits in line. */
export type Turnstile = {
  pass<Result>(key: string, work: () => Promise<Result>): Promise<Result>;
  /** Whether the next one would wait. */
  isFull(key: string): boolean;
  /** How many wait. */
  waiting(key: string): number;
};

export function createTurnstile(atOnce: number): Turnstile {
  const queues = new Map<string, { running: number; waiting: (() => void)[] }>();
  return {
    async pass(key, work) {
      const queue = queues.get(key) ?? { running: 0, waiting: [] };
      queues.set(key, queue);
      if (queue.running < atOnce) queue.running++;
      else await new Promise<void>((begin) => queue.waiting.push(begin));
      try {
        return await work();
      } finally {
        const next = queue.waiting.shift();
        // Hand the place over directly, so that nobody slips in between.
        if (next) next();
        else if (--queue.running === 0) queues.delete(key);
      }
    },
    isFull: (key) => queues.get(key)?.running === atOnce,
    waiting: (key) => queues.get(key)?.waiting.length ?? 0,
  };
}

export type TakeTurn = <Result>(work: () => Promise<Result>) => Promise<Success<Result> | Failure<'crowded'>>;

type Turns = { atOnce: number; waiting: number };

/** For each key, runs a limited number of jobs at a time, queues a limited number, and refuses the rest. */
export function createTurnsByKey({ atOnce, waiting }: Turns): (key: string) => TakeTurn {
  const turnstile = createTurnstile(atOnce);
  return (key) => async (work) => {
    if (turnstile.isFull(key) && turnstile.waiting(key) >= waiting) return fail('crowded');
    return ok(await turnstile.pass(key, work));
  };
}

/** Runs a limited number of jobs at a time, queues a limited number, and refuses the rest. */
export const createTurns = (turns: Turns): TakeTurn => createTurnsByKey(turns)('');

/** Works through all of them, a limited number at a time. */
export async function atMostAtOnce<Each>(
  atOnce: number,
  all: readonly Each[],
  work: (each: Each) => Promise<void>,
): Promise<void> {
  const turnstile = createTurnstile(atOnce);
  await Promise.all(all.map((each) => turnstile.pass('', () => work(each))));
}

/**
 * Limits concurrency on this instance. `take` returns a function that gives the place back, or null if all are taken.
 */
export type Places = { take: () => (() => void) | null };

export function createPlaces(count: number): Places {
  let taken = 0;
  return {
    take() {
      if (taken >= count) return null;
      taken++;
      let isHeld = true;
      return () => {
        if (isHeld) taken--;
        isHeld = false;
      };
    },
  };
}
