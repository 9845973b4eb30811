import type { Deps } from '../../deps.ts';
import { checkLimits, countAgainst, type TooManyAttempts } from './check-limits.ts';
import type { Guard } from './limit.ts';
import { createTurnstile } from './turnstile.ts';

/** Tries of one caller that may be under way together, and so may get past a limit that they would reach together. */
const AT_ONCE = 4;
const turnstile = createTurnstile(AT_ONCE);

/**
 * Makes a try that somebody could be guessing with. It is refused while one of the guards says so, and counted against
 * all of them if it misses; hits cost nothing. The first guard names who is trying.
 */
export async function limitMisses<Outcome>(
  deps: Pick<Deps, 'db' | 'env' | 'clock' | 'log'>,
  { guards, isMiss }: { guards: readonly [Guard, ...Guard[]]; isMiss: (outcome: Outcome) => boolean },
  attempt: () => Promise<Outcome>,
): Promise<Outcome | TooManyAttempts> {
  return turnstile(JSON.stringify(guards[0].of), async () => {
    const allowed = await checkLimits(deps, guards);
    if (!allowed.ok) return allowed;
    const outcome = await attempt();
    if (isMiss(outcome)) await countAgainst(deps, guards);
    return outcome;
  });
}
