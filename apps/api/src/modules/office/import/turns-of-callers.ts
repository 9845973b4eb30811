import { createTurns, type TakeTurn } from '../../../http/turns.ts';

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
  const callers = new Map<string, { takeTurn: TakeTurn; underWay: number }>();
  return {
    of: (callerId) => async (work) => {
      const own = callers.get(callerId) ?? {
        takeTurn: createTurns({ atOnce: ofOne, waiting }),
        underWay: 0,
      };
      callers.set(callerId, own);
      own.underWay++;
      try {
        const turn = await own.takeTurn(() => everybodys(work));
        return turn.ok ? turn.value : turn;
      } finally {
        own.underWay--;
        if (own.underWay === 0) callers.delete(callerId);
      }
    },
  };
}
