import { type Actor, recordAct } from '../../../db/audit.queries.ts';
import { advanceEngineClock } from '../../../db/clock/engine-clock.queries.ts';
import { CLOCK_MOVED } from '../../../db/clock/follow-engine-clock.ts';
import { openOwnConnection } from '../../../db/own-connection.ts';
import type { Deps } from '../../../deps.ts';
import { TASK_NAMES } from '../../../jobs/task-names.ts';
import { wake } from '../../../jobs/wake.ts';

/** Advances the engine's clock, as the database's owner: the portal's own role may not. */
export async function moveClock(deps: Deps, { seconds, by }: { seconds: number; by: Actor }) {
  const owner = await openOwnConnection({
    url: deps.env.MIGRATION_DATABASE_URL ?? deps.env.DATABASE_URL,
    applicationName: 'brightpane clock',
    wakeUps: deps.db.wakeUps,
  });
  try {
    const now = await owner.transaction(async (tx) => {
      const moved = await advanceEngineClock(tx, { seconds });
      await recordAct(tx, by, { action: 'move-clock', subject: 'the demo’s clock', detail: { seconds } });
      return moved;
    });
    deps.db.wakeUps.wake({ task: CLOCK_MOVED });
    for (const task of TASK_NAMES) wake(deps.db.query, task);
    return { now };
  } finally {
    await owner.close();
  }
}
