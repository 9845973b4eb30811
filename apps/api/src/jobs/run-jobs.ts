import type { Deps } from '../deps.ts';
import { type LaneDeps, type Lanes, openLanes } from './lanes/open-lanes.ts';
import { watchLanes } from './lanes/watch-lanes.ts';
import { systemTimers } from './timers.ts';

/** Reserved connections: requests can't use these, and other background work can't use those for money. */
const MONEY_CONNECTIONS = 3;
const OTHER_CONNECTIONS = 2;

export type RunningJobs = Pick<Lanes, 'states'> & { stop(): Promise<void> };

/** Starts this instance's background work on its own connections. */
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

/** Opens two pools that share this instance's wake-ups. */
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
