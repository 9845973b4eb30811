import type { Database } from '../../../db/client.ts';
import type { Deps } from '../../../deps.ts';
import { ACCESS_TOKEN_SECONDS } from './access-tokens.ts';
import { findSessionsEndedSince } from './sessions.queries.ts';

/** How long access tokens may still work here after another instance ended their session. */
const STALE_AFTER_MILLISECONDS = 1_000;
/** Longer than a token can outlive its session, tolerance included. */
const KEPT_SECONDS = ACCESS_TOKEN_SECONDS + 60;
/** A process that just started has seen nothing: the engine's clock may have jumped since a session ended. */
const FIRST_LOOK_SECONDS = 86_400;

type Known = {
  /** Until when each ended session is kept, by this process's own clock: tokens don't go by the engine's. */
  keptUntil: Map<string, number>;
  /** When the last read began, by this process's clock and by the engine's. */
  readAt: number;
  engineReadAt: Date | null;
  /** How many endings were noted here, and how many of them the last read has seen. */
  noted: number;
  notedAtRead: number;
  reading: Promise<void> | null;
};

/** By what all pools of an instance share: an office ends sessions through another pool than payers'. */
const knownBy = new WeakMap<Database['wakeUps'], Known>();

/**
 * Whether a session was ended before its access token expired: by signing out, a new password or the office. Checked on
 * every protected call, so recently ended sessions are cached and reread once a second; in between it is known at once.
 */
export function hasSessionEnded(deps: Pick<Deps, 'db'>, sessionId: string): boolean | Promise<boolean> {
  const known = knownFor(deps.db);
  const isFresh = freshnessNow(known);
  return isFresh() ? known.keptUntil.has(sessionId) : hasEndedByNow(deps, { sessionId, isFresh });
}

async function hasEndedByNow(
  deps: Pick<Deps, 'db'>,
  { sessionId, isFresh }: { sessionId: string; isFresh: () => boolean },
): Promise<boolean> {
  const known = knownFor(deps.db);
  while (!isFresh()) {
    known.reading ??= read(deps, known).finally(() => {
      known.reading = null;
    });
    await known.reading;
  }
  return known.keptUntil.has(sessionId);
}

/**
 * Whether what is known by then is fresh enough for a caller who asks now. What happens while the caller waits doesn't
 * count: else reads that take longer than a second, or sessions that keep ending, would hold the answer back for good.
 */
function freshnessNow(known: Known): () => boolean {
  const since = performance.now() - STALE_AFTER_MILLISECONDS;
  const { noted } = known;
  return () => known.readAt >= since && known.notedAtRead >= noted;
}

/** Call after committing a transaction that ended sessions, so that this instance sees it at once. */
export function noteEndedSessions({ db }: Pick<Deps, 'db'>): void {
  knownFor(db).noted++;
}

async function read({ db }: Pick<Deps, 'db'>, known: Known): Promise<void> {
  const readAt = performance.now();
  const { noted, engineReadAt } = known;
  const found = await findSessionsEndedSince(db.query, {
    secondsAgo: engineReadAt === null ? FIRST_LOOK_SECONDS : KEPT_SECONDS,
    lastReadAt: engineReadAt,
  });
  const keptUntil = new Map([...known.keptUntil].filter(([, until]) => until > readAt));
  for (const id of found.ids) keptUntil.set(id, known.keptUntil.get(id) ?? readAt + KEPT_SECONDS * 1_000);
  Object.assign(known, { keptUntil, readAt, engineReadAt: found.readAt, notedAtRead: noted });
}

function knownFor({ wakeUps }: Database): Known {
  let known = knownBy.get(wakeUps);
  if (!known) {
    known = {
      keptUntil: new Map(),
      readAt: Number.NEGATIVE_INFINITY,
      engineReadAt: null,
      noted: 0,
      notedAtRead: 0,
      reading: null,
    };
    knownBy.set(wakeUps, known);
  }
  return known;
}
