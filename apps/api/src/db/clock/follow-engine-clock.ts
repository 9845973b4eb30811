import type { Queryable } from '../client.ts';
import type { WakeUps } from '../wake-ups.ts';
import { readEngineClock } from './engine-clock.queries.ts';

/** Woken where this instance has moved the clock itself. */
export const CLOCK_MOVED = 'clock-moved';

const EVERY_MILLISECONDS = 60_000;
/** By less, hosts' clocks differ anyway. */
const LEAST_MILLISECONDS = 1_000;
/** A look that takes longer says too little of when its answer was true. */
const LONGEST_LOOK_MILLISECONDS = 1_000;

export type FollowedClock = {
  now: () => Date;
  /** Reads the engine's clock once. Where it cannot, what was read before goes on. */
  look(db: Queryable): Promise<void>;
};

/** The engine's clock as a process knows it between two looks at the database. */
export function createFollowedClock(): FollowedClock {
  let ahead = 0;
  return {
    now: () => new Date(Date.now() + ahead),
    async look(db) {
      const begin = Date.now();
      const engine = await readEngineClock(db);
      const end = Date.now();
      if (end < begin || end - begin > LONGEST_LOOK_MILLISECONDS) return;
      const seen = engine - (begin + end) / 2;
      if (Math.abs(seen - ahead) >= LEAST_MILLISECONDS)
        ahead = Math.abs(seen) < LEAST_MILLISECONDS ? 0 : seen;
    },
  };
}

/** Looks every minute, and when this instance has moved the clock. A database that does not answer is others' to tell. */
export function followEngineClock(
  clock: FollowedClock,
  db: { query: Queryable; wakeUps: WakeUps },
): { stop(): void } {
  const look = () => void clock.look(db.query).catch(() => {});
  const timer = setInterval(look, EVERY_MILLISECONDS);
  const forget = db.wakeUps.onWake(({ task }) => {
    if (task === CLOCK_MOVED) look();
  });
  return {
    stop() {
      clearInterval(timer);
      forget();
    },
  };
}
