import type { Deps } from '../../deps.ts';
import { checkLimits, countAgainst, type TooManyAttempts, uncountedBy } from './check-limits.ts';
import type { Guard } from './limit.ts';
import type { Uncounted } from './limits.queries.ts';
import { createTurnstile, type Turnstile } from './turnstile.ts';

/** Tries of one caller that may be under way together, and so may get past a limit that they would reach together. */
const AT_ONCE = 4;
const turnstiles = new WeakMap<Deps['db'], Turnstile>();

/**
 * The try that most make, in one statement, which asks `isUncounted` itself: a hit of somebody against whom nothing is
 * counted. Everything else is `undefined`, and goes the whole way.
 */
type Hit<Outcome> = (uncounted: Uncounted) => Promise<Outcome | undefined>;

type LimitDeps = Pick<Deps, 'db' | 'env' | 'clock' | 'log'>;
/** The first guard names who is trying. */
type Guards = readonly [Guard, ...Guard[]];

/**
 * Makes a try that somebody could be guessing with. It is refused while one of the guards says so, and counted against
 * all of them if it misses; hits cost nothing.
 */
export function limitMisses<Outcome>(
  deps: LimitDeps,
  { guards, isMiss, hit }: { guards: Guards; isMiss: (outcome: Outcome) => boolean; hit?: Hit<Outcome> },
  attempt: () => Promise<Outcome>,
): Promise<Outcome | TooManyAttempts> {
  const countedBy = (outcome: Outcome) => (isMiss(outcome) ? guards : []);
  return limitTries(deps, { guards, countedBy, ...(hit && { hit }) }, attempt);
}

/** The same, where it depends on the outcome which of the guards count it. */
export function limitTries<Outcome>(
  deps: LimitDeps,
  {
    guards,
    countedBy,
    hit,
  }: { guards: Guards; countedBy: (outcome: Outcome) => readonly Guard[]; hit?: Hit<Outcome> },
  attempt: () => Promise<Outcome>,
): Promise<Outcome | TooManyAttempts> {
  const [{ limit, of }] = guards;
  return turnstileOf(deps)(JSON.stringify([limit.name, ...of]), async () => {
    const first = await hit?.(uncountedBy(deps, guards));
    if (first !== undefined) return first;
    const allowed = await checkLimits(deps, guards);
    if (!allowed.ok) return allowed;
    const outcome = await attempt();
    const counting = countedBy(outcome);
    if (counting.length > 0) await countAgainst(deps, counting);
    return outcome;
  });
}

/** Each instance has its own. */
function turnstileOf({ db }: LimitDeps): Turnstile {
  const known = turnstiles.get(db) ?? createTurnstile(AT_ONCE);
  turnstiles.set(db, known);
  return known;
}
