import type { Deps } from '../../deps.ts';
import { createTurnstile, type Turnstile } from '../../http/turns.ts';
import { checkLimits, countAgainst, type TooManyAttempts, uncountedBy } from './check-limits.ts';
import type { Guard } from './limit.ts';
import type { Uncounted } from './limits.queries.ts';

/** Concurrent attempts per caller. These may together get past a limit that they would reach one by one. */
const AT_ONCE = 4;
const turnstiles = new WeakMap<Deps['db']['wakeUps'], Turnstile>();

/**
 * The fast path for most attempts: one statement that also checks `isUncounted`. Returns `undefined` for anything but a
 * hit by a caller without counted misses; then the full path follows. Its outcome is counted like any other.
 */
export type Hit<Outcome> = (uncounted: Uncounted) => Promise<Outcome | undefined>;

type LimitDeps = Pick<Deps, 'db' | 'env' | 'clock' | 'log'>;
/** The first guard identifies the caller. */
type Guards = readonly [Guard, ...Guard[]];

/**
 * Runs an attempt that could be a guess. Refuses it while a guard says so, and counts misses against
 * all guards; hits are free.
 */
export function limitMisses<Outcome>(
  deps: LimitDeps,
  { guards, isMiss, hit }: { guards: Guards; isMiss: (outcome: Outcome) => boolean; hit?: Hit<Outcome> },
  attempt: () => Promise<Outcome>,
): Promise<Outcome | TooManyAttempts> {
  const countedBy = (outcome: Outcome) => (isMiss(outcome) ? guards : []);
  return limitTries(deps, { guards, countedBy, ...(hit && { hit }) }, attempt);
}

/** Like `limitMisses`, but the outcome decides which guards count it. */
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
  return turnstileOf(deps).pass(JSON.stringify([limit.name, ...of]), async () => {
    let outcome = await hit?.(uncountedBy(deps, guards));
    if (outcome === undefined) {
      const allowed = await checkLimits(deps, guards);
      if (!allowed.ok) return allowed;
      outcome = await attempt();
    }
    const counting = countedBy(outcome);
    if (counting.length > 0) await countAgainst(deps, counting);
    return outcome;
  });
}

/** One per instance, whose pools share the wake-ups. */
function turnstileOf({ db: { wakeUps } }: LimitDeps): Turnstile {
  const known = turnstiles.get(wakeUps) ?? createTurnstile(AT_ONCE);
  turnstiles.set(wakeUps, known);
  return known;
}
