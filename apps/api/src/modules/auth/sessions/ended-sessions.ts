import type { Database } from '../../../db/client.ts';
import type { Deps } from '../../../deps.ts';
import { ACCESS_TOKEN_SECONDS } from './access-tokens.ts';
import { findSessionsEndedSince } from './sessions.queries.ts';

/** How long access tokens may still work here after another instance ended their session. */
const STALE_AFTER_MS = 1_000;
/** Longer than a token can outlive its session, tolerance included. */
const LOOK_BACK_SECONDS = ACCESS_TOKEN_SECONDS + 60;

type Known = { ids: Set<string>; readAt: number; isOutdated: boolean; reading: Promise<void> | null };

/** By what all pools of an instance share: an office ends sessions through another pool than payers'. */
const knownBy = new WeakMap<Database['wakeUps'], Known>();

/**
 * Whether a session was ended before its access token expired: by signing out, a new password or the office. Checked on
 * every protected call, so recently ended sessions are cached and reread once a second; in between it is known at once.
 */
export function hasSessionEnded(deps: Pick<Deps, 'db'>, sessionId: string): boolean | Promise<boolean> {
  const known = knownFor(deps.db);
  return isFresh(known) ? known.ids.has(sessionId) : hasEndedByNow(deps, sessionId);
}

async function hasEndedByNow(deps: Pick<Deps, 'db'>, sessionId: string): Promise<boolean> {
  const known = knownFor(deps.db);
  while (!isFresh(known)) {
    known.reading ??= read(deps, known).finally(() => {
      known.reading = null;
    });
    await known.reading;
  }
  return known.ids.has(sessionId);
}

const isFresh = ({ isOutdated, readAt }: Known) =>
  !isOutdated && performance.now() - readAt <= STALE_AFTER_MS;

/** Call after committing a transaction that ended sessions, so that this instance sees it at once. */
export function noteEndedSessions({ db }: Pick<Deps, 'db'>): void {
  knownFor(db).isOutdated = true;
}

async function read(deps: Pick<Deps, 'db'>, known: Known): Promise<void> {
  const startedAt = performance.now();
  known.isOutdated = false;
  try {
    known.ids = new Set(await findSessionsEndedSince(deps.db.query, LOOK_BACK_SECONDS));
    known.readAt = startedAt;
  } catch (error) {
    known.isOutdated = true;
    throw error;
  }
}

function knownFor({ wakeUps }: Database): Known {
  let known = knownBy.get(wakeUps);
  if (!known) {
    known = { ids: new Set(), readAt: 0, isOutdated: true, reading: null };
    knownBy.set(wakeUps, known);
  }
  return known;
}
