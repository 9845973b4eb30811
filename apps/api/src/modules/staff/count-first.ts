import type { Deps } from '../../deps.ts';
import { fail } from '../../http/result.ts';
import { checkLimits, countAgainst, isBeyond, type TooManyAttempts } from '../limits/check-limits.ts';
import type { Guard } from '../limits/limit.ts';

/**
 * Judges a code that somebody may be guessing. Counts the attempt before judging it, so that no more are
 * judged than the limits allow, however many arrive at once on any instance; a right code is uncounted again.
 * `counts` include this attempt.
 */
export async function countFirst<Outcome extends { ok: boolean }>(
  deps: Deps,
  guards: readonly Guard[],
  judge: (counts: number[]) => Promise<Outcome>,
): Promise<Outcome | TooManyAttempts> {
  const allowed = await checkLimits(deps, guards);
  if (!allowed.ok) return allowed;
  const counts = await countAgainst(deps, guards);
  if (isBeyond(deps, { guards, counts })) return fail('too-many-attempts', { retryAfterSeconds: 60 });
  const takeBack = () =>
    countAgainst(
      deps,
      guards.map((guard) => ({ ...guard, weight: -1 })),
    );
  let isMiss = false;
  try {
    const outcome = await judge(counts);
    isMiss = !outcome.ok;
    return outcome;
  } finally {
    if (!isMiss) await takeBack();
  }
}
