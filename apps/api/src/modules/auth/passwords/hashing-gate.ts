import { availableParallelism } from 'node:os';
import { type Failure, fail, type Success } from '../../../http/result.ts';
import { createTurns } from '../../../http/turns.ts';

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
  const takeTurn = createTurns({ atOnce: places, waiting: queue });
  // Running or waiting.
  let present = 0;
  let finished = 0;
  return {
    async run(work) {
      present++;
      const counted = () => work().finally(() => finished++);
      const turn = await takeTurn(counted).finally(() => present--);
      return turn.ok ? turn : fail('overloaded');
    },
    get isFull() {
      return present >= places;
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
