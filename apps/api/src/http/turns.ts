import type { Failure, Success } from './result.ts';
import { fail, ok } from './result.ts';

export type TakeTurn = <Result>(work: () => Promise<Result>) => Promise<Success<Result> | Failure<'crowded'>>;

/** Runs a limited number of jobs at a time, queues a limited number, and refuses the rest. */
export function createTurns({ atOnce, waiting: mostWaiting }: { atOnce: number; waiting: number }): TakeTurn {
  let running = 0;
  const waiting: (() => void)[] = [];
  return async (work) => {
    if (running === atOnce) {
      if (waiting.length === mostWaiting) return fail('crowded');
      await new Promise<void>((begin) => waiting.push(begin));
    } else running++;
    try {
      return ok(await work());
    } finally {
      const next = waiting.shift();
      if (next) next();
      else running--;
    }
  };
}
