import type { Queryable } from '../client.ts';
import type { WakeUps } from '../wake-ups.ts';
import { readEngineClock } from './engine-clock.queries.ts';

/** Woken when this instance moved the clock itself. */
export const CLOCK_MOVED = 'clock-moved';

const EVERY_MILLISECONDS = 60_000;
/** Hosts' clocks differ by less than this anyway. */
const LEAST_MILLISECONDS = 1_000;
/** Ignore a slower answer: it says too little about when it was true. */
const LONGEST_LOOK_MILLISECONDS = 1_000;

export type FollowedClock = {
  now: () => Date;
  /** Reads the engine's clock once. On failure the last known offset stays. */
  look(db: Queryable): Promise<void>;
};

/** Tracks the engine's clock between two looks at the database. */
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

/** Looks every minute, and when this instance moves the clock. Ignores an unreachable database; others report that. */
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
