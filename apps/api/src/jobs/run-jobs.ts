import type { Deps } from '../deps.ts';
import { type LaneDeps, type Lanes, openLanes } from './lanes/open-lanes.ts';
import { watchLanes } from './lanes/watch-lanes.ts';
import { systemTimers } from './timers.ts';

/** Requests cannot take these, nor other background work those of money. */
const MONEY_CONNECTIONS = 3;
const OTHER_CONNECTIONS = 2;

export type RunningJobs = Pick<Lanes, 'states'> & { stop(): Promise<void> };

/** Starts the background work of this instance, on connections of its own. */
export async function runJobs(deps: Deps): Promise<RunningJobs> {
  const { money, others, close } = openJobDatabases(deps);
  const lanes = openLanes({ money, others }, systemTimers);
  const watch = watchLanes(others, systemTimers);
  const forgetWakeUps = deps.db.wakeUps.onWake((wakeUp) => lanes.wake(wakeUp));
  lanes.start();
  watch.start();
  return {
    states: lanes.states,
    async stop() {
      forgetWakeUps();
      await Promise.all([lanes.stop(), watch.stop()]);
      await close();
    },
  };
}

/** Two pools, which wake this instance's lanes as its own does. */
export function openJobDatabases(deps: Deps): LaneDeps & { close(): Promise<void> } {
  const open = (applicationName: string, poolSize: number): Deps => ({
    ...deps,
    db: deps.db.beside({ poolSize, applicationName }),
  });
  const money = open('brightpane money', MONEY_CONNECTIONS);
  const others = open('brightpane tasks', OTHER_CONNECTIONS);
  return {
    money,
    others,
    close: async () => void (await Promise.all([money.db.close(), others.db.close()])),
  };
}
