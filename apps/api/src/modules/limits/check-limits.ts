import { createHmac } from 'node:crypto';
import { deriveKey } from '../../crypto/derive-key.ts';
import type { Deps } from '../../deps.ts';
import { type Failure, fail, ok } from '../../http/result.ts';
import type { Guard } from './limit.ts';
import { findCounters, raiseCounters, removeCounters, type Uncounted } from './limits.queries.ts';

export type TooManyAttempts = Failure<'too-many-attempts'> & { retryAfterSeconds: number };

/** Given a transaction, counts only if it commits. */
export type LimitDeps = Pick<Deps, 'env' | 'clock' | 'log'> & { db: Pick<Deps['db'], 'query'> };

/**
 * Whether an attempt is allowed now, and which guards have counted something. The counters are in the database, so
 * all instances share them.
 */
export async function checkLimits(deps: LimitDeps, guards: readonly Guard[]) {
  const { keys, now } = uncountedBy(deps, guards);
  const counters = await findCounters(deps.db.query, { keys, now });
  let waitUntil = now;
  let hit: Guard | undefined;
  for (const [index, guard] of guards.entries()) {
    const counter = counters.find(({ key }) => key === keys[index]);
    const until = counter && guard.limit.waitUntil(counter);
    if (until && until > waitUntil) {
      waitUntil = until;
      hit = guard;
    }
  }
  if (!hit) return ok(guards.filter((_, index) => counters.some(({ key }) => key === keys[index])));
  deps.log.warn({ limit: hit.limit.name }, 'too many attempts');
  const retryAfterSeconds = Math.ceil((waitUntil.getTime() - now.getTime()) / 1000);
  return fail('too-many-attempts', { retryAfterSeconds });
}

/** The values that `isUncounted` needs for these guards. */
export function uncountedBy(deps: Pick<Deps, 'env' | 'clock'>, guards: readonly Guard[]): Uncounted {
  return { keys: guards.map((guard) => keyOf(deps, guard)), now: deps.clock() };
}

/** Counts a failure against every guard. Returns their counts in the same order. */
export async function countAgainst(deps: LimitDeps, guards: readonly Guard[]): Promise<number[]> {
  const now = deps.clock();
  const windows = guards.map((guard) => ({
    key: keyOf(deps, guard),
    end: new Date(now.getTime() + guard.limit.windowSeconds * 1000),
    weight: guard.weight ?? 1,
  }));
  const counts = new Map(
    (await raiseCounters(deps.db.query, { windows, now })).map(({ key, count }) => [key, count]),
  );
  return windows.map(({ key }) => counts.get(key) ?? 0);
}

/**
 * Counts an act, or refuses it. Counts first, so that concurrent acts pass no limit together. A refusal counts too unless
 * the caller rolls back: needed with several guards, where what one refuses would use up the others.
 */
export async function countWithin(deps: LimitDeps, guards: readonly Guard[]) {
  const counts = await countAgainst(deps, guards);
  return isBeyond(deps, { guards, counts }) ? checkLimits(deps, guards) : ok(undefined);
}

/** Whether the limits would have refused what was just counted: judged by the counts before it. */
export function isBeyond(
  { clock }: Pick<Deps, 'clock'>,
  { guards, counts }: { guards: readonly Guard[]; counts: readonly number[] },
): boolean {
  const now = clock();
  return guards.some(
    ({ limit }, at) =>
      limit.waitUntil({ count: (counts[at] ?? 0) - 1, lastAt: now, windowEnd: now }) !== null,
  );
}

/** Resets the counters of somebody who proved legitimate. */
export async function clearLimits(deps: LimitDeps, guards: readonly Guard[]): Promise<void> {
  await removeCounters(
    deps.db.query,
    guards.map((guard) => keyOf(deps, guard)),
  );
}

/** Hashed with our own key, so that the table reveals no address. */
function keyOf({ env }: Pick<Deps, 'env'>, { limit, of }: Guard): string {
  return createHmac('sha256', deriveKey(env, 'limits'))
    .update(JSON.stringify([limit.name, ...of]))
    .digest('base64url');
}
