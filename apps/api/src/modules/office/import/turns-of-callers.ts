import { createTurns, createTurnsByKey, type TakeTurn } from '../../../http/turns.ts';

type Options = {
  atOnce: number;
  waiting: number;
  /** How many of the turns one caller may have; what else they send waits behind it, and in nobody's way. */
  ofOne: number;
};

/** Turns for many callers, of which none can take all. */
export function createTurnsOfCallers({ atOnce, waiting, ofOne }: Options): {
  of(callerId: string): TakeTurn;
} {
  const everybodys = createTurns({ atOnce, waiting });
  const own = createTurnsByKey({ atOnce: ofOne, waiting });
  return {
    of: (callerId) => async (work) => {
      const turn = await own(callerId)(() => everybodys(work));
      return turn.ok ? turn.value : turn;
    },
  };
}
