import type { Deps } from '../deps.ts';
import { endTurn, keepTurn, postponeTurn, takeTurn } from './schedule.queries.ts';
import { SCHEDULE, type ScheduledTask } from './schedule.ts';
import type { Timers } from './timers.ts';

const KEEP_MILLISECONDS = 60_000;

/** Runs a task if it is due and no other instance has run it. */
export async function runScheduled(
  { db }: Pick<Deps, 'db'>,
  { name, run, timers }: { name: ScheduledTask; run: () => Promise<void>; timers: Timers },
): Promise<void> {
  const turn = await takeTurn(db.query, { name, slots: SCHEDULE[name] });
  if (!turn) return;
  let stopKeeping = () => {};
  const keep = () => {
    stopKeeping = timers.after(KEEP_MILLISECONDS, () => {
      // If renewing fails, another instance takes the turn, which does no harm.
      keepTurn(db.query, turn).catch(() => {});
      keep();
    });
  };
  keep();
  try {
    await run();
  } catch (error) {
    await postponeTurn(db.query, turn, SCHEDULE[name]);
    throw error;
  } finally {
    stopKeeping();
  }
  await endTurn(db.query, turn);
}
