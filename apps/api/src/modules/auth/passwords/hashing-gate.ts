import { availableParallelism } from 'node:os';
import { type Failure, fail, ok, type Success } from '../../../http/result.ts';

export type Overloaded = Failure<'overloaded'>;

/**
 * All password hashing goes through here. Each hash takes 19 MiB and a core for a while, so a few run at once, some
 * wait, and beyond that callers are told to retry, rather than slowing the whole server.
 */
export type HashingGate = {
  run<Result>(work: () => Promise<Result>): Promise<Success<Result> | Overloaded>;
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
    get finished() {
      return finished;
    },
  };
}

/** Shared by the whole process, like its cores. A full queue takes about two seconds. */
export const hashingGate: HashingGate = createHashingGate({
  places: Math.min(4, availableParallelism()),
  queue: 100,
});
