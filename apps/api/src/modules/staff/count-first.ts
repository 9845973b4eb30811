import type { Deps } from '../../deps.ts';
import { fail } from '../../http/result.ts';
import { checkLimits, countAgainst, type TooManyAttempts } from '../limits/check-limits.ts';
import type { Guard } from '../limits/limit.ts';

/**
 * Judges a code that somebody may be guessing. It is counted before it is judged, so that however many come at once, in
 * however many instances, no more are judged than the limits say; a right one is taken out of the count again.
 * `counts` are those so far, this one included.
 */
export async function countFirst<Outcome extends { ok: boolean }>(
  deps: Deps,
  guards: readonly Guard[],
  judge: (counts: number[]) => Promise<Outcome>,
): Promise<Outcome | TooManyAttempts> {
  const allowed = await checkLimits(deps, guards);
  if (!allowed.ok) return allowed;
  const counts = await countAgainst(deps, guards);
  const isBeyond = guards.some(({ limit }, at) => limit.waitUntil(before(deps, counts[at] ?? 0)) !== null);
  if (isBeyond) return fail('too-many-attempts', { retryAfterSeconds: 60 });
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

/** What the counter was before this try: that many are refused. */
function before({ clock }: Pick<Deps, 'clock'>, count: number) {
  const now = clock();
  return { count: count - 1, lastAt: now, windowEnd: new Date(now.getTime() + 1000) };
}
