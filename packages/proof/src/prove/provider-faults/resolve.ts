import { sql } from 'drizzle-orm';
import { advanceEngineClock } from '../../../../../apps/api/test/books/engine-clock.ts';
import { sweep } from '../../../../../apps/api/test/books/sweep.ts';
import type { Round } from '../attack.ts';
import { type FaultRig, heal } from './rig.ts';

/** Past every wait of a charge whose answer was lost: fifteen minutes after its deadline. */
const WAITING_SECONDS = 17 * 60;
/** The time between two listings that prove an absence. */
const BETWEEN_SECONDS = 61;
const MOST_SWEEPS = 40;

/**
 * Sweeps everything with the provider healthy again. Every other run proves that two sweeps after the waits suffice; the
 * others sweep whenever something is due, as the portal does, and measure how long that takes.
 */
export async function resolve(
  rig: FaultRig,
  { run }: Round,
  { waitingSeconds = WAITING_SECONDS }: { waitingSeconds?: number } = {},
): Promise<void> {
  await heal(rig);
  const { deps } = rig.portal;
  if (run % 2 === 0) {
    await advanceEngineClock(deps, waitingSeconds);
    await sweep(deps);
    await advanceEngineClock(deps, BETWEEN_SECONDS);
    await sweep(deps);
    return;
  }
  let seconds = 0;
  let sweeps = 0;
  for (; sweeps < MOST_SWEEPS; sweeps++) {
    const wait = await secondsUntilDue(rig);
    if (wait === null) break;
    await advanceEngineClock(deps, wait);
    seconds += wait;
    await sweep(deps);
  }
  rig.run.figures = { sweeps, seconds: Math.round(seconds) };
}

/** When the sweep next has work for this run; `null` if never. */
async function secondsUntilDue({ portal, run }: FaultRig): Promise<number | null> {
  const before = sql.param([...run.before]);
  const { rows } = await portal.deps.db.query.execute<{ seconds: number | null }>(sql`
    SELECT extract(epoch FROM min(due) - engine_now())::float8 AS seconds FROM (
      SELECT deadline_at AS due FROM payment_intent WHERE state = 'undecided'
      UNION ALL
      SELECT greatest(c.next_try_at, c.lease_until, b.resting_until) FROM charge c
        LEFT JOIN provider_budget b ON b.merchant_account_id = c.merchant_account_id
       WHERE c.next_try_at IS NOT NULL AND c.id <> ALL(${before}::uuid[])) AS waiting`);
  const seconds = rows[0]?.seconds ?? null;
  return seconds === null ? null : Math.max(0, seconds) + 0.05;
}
