import type { Logger } from 'pino';
import type { Queryable } from '../client.ts';
import type { WakeUps } from '../wake-ups.ts';
import { readClocks } from './engine-clock.queries.ts';

/** Woken when this instance moved the clock itself. */
export const CLOCK_MOVED = 'clock-moved';

const EVERY_MILLISECONDS = 60_000;
/** Hosts' clocks differ by less than this anyway. */
const LEAST_MILLISECONDS = 1_000;
/** Ignore a slower answer: it says too little about when it was true. */
const LONGEST_LOOK_MILLISECONDS = 1_000;
/** Two instances that are off by this much in both directions still take each other's access tokens. */
const MOST_SKEW_SECONDS = 2;

export type FollowedClock = {
  now: () => Date;
  /** How far this host's clock is ahead of the database's host's, in seconds; `null` before the first look. */
  skewSeconds: () => number | null;
  /** Reads the engine's clock once. On failure the last known offset stays. */
  look(db: Queryable): Promise<void>;
};

/** Tracks the engine's clock between two looks at the database. */
export function createFollowedClock(): FollowedClock {
  let ahead = 0;
  let skewSeconds: number | null = null;
  return {
    now: () => new Date(Date.now() + ahead),
    skewSeconds: () => skewSeconds,
    async look(db) {
      const begin = Date.now();
      const { engine, host } = await readClocks(db);
      const end = Date.now();
      if (end < begin || end - begin > LONGEST_LOOK_MILLISECONDS) return;
      skewSeconds = ((begin + end) / 2 - host) / 1000;
      const seen = engine - (begin + end) / 2;
      if (Math.abs(seen - ahead) >= LEAST_MILLISECONDS)
        ahead = Math.abs(seen) < LEAST_MILLISECONDS ? 0 : seen;
    },
  };
}

/**
 * Looks every minute, and when this instance moves the clock. Ignores an unreachable database; others report that. Says
 * once that the hosts' clocks differ: access tokens go by them, so that instances would refuse each other's.
 */
export function followEngineClock(
  clock: FollowedClock,
  db: { query: Queryable; wakeUps: WakeUps },
  log: Pick<Logger, 'warn'>,
): { stop(): void } {
  let isSaid = false;
  const tellOfSkew = () => {
    const seconds = clock.skewSeconds();
    const isOff = seconds !== null && Math.abs(seconds) > MOST_SKEW_SECONDS;
    if (isOff && !isSaid)
      log.warn(
        { seconds: Math.round(seconds) },
        'the clock of this host is ahead of the database’s, or behind',
      );
    isSaid = isOff;
  };
  tellOfSkew();
  const look = () => void clock.look(db.query).then(tellOfSkew, () => {});
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
