import { availableParallelism } from 'node:os';
import { type Failure, fail, ok, type Success } from '../../../http/result.ts';

export type Overloaded = Failure<'overloaded'>;

/**
 * All password hashing goes through here. Each hash takes 19 MiB and a core for a while, so a few run at once, some
 * wait, and beyond that callers are told to retry, rather than slowing the whole server.
 */
export type HashingGate = {
  run<Result>(work: () => Promise<Result>): Promise<Success<Result> | Overloaded>;
  /** Whether the next one would wait. */
  readonly isFull: boolean;
  /** Hashings that have finished. */
  readonly finished: number;
};

export function createHashingGate({ places, queue }: { places: number; queue: number }): HashingGate {
  let running = 0;
  let finished = 0;
  const waiting: (() => void)[] = [];
  return {
    async run(work) {
      if (running < places) running++;
      else if (waiting.length >= queue) return fail('overloaded');
      else await new Promise<void>((resolve) => waiting.push(resolve));
      try {
        return ok(await work());
      } finally {
        finished++;
        const next = waiting.shift();
        if (next) next();
        else running--;
      }
    },
    get isFull() {
      return running >= places;
    },
    get finished() {
      return finished;
    },
  };
}

const QUEUE = 100;

/** Shared by the whole process, like its cores. A full queue takes about two seconds. */
export const hashingGate: HashingGate = createHashingGate({
  places: Math.min(4, availableParallelism()),
  queue: QUEUE,
});

/**
 * Passed by each attempt with a password before the hashing gate. So few attempts are between their check of a limit
 * and their count that only a few can pass it together, yet enough that no core waits for their statements.
 */
export const attemptGate: HashingGate = createHashingGate({ places: 4, queue: QUEUE });
