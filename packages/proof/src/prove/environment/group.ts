import type { AttackGroup } from '../attack.ts';
import { sweepAndJudge } from '../races/sweep-and-judge.ts';
import { clockTroubles } from './clock-troubles.ts';
import { databaseStops } from './database-stops.ts';
import { databaseTroubles } from './database-troubles.ts';
import { diskTroubles } from './disk-troubles.ts';
import { mailTroubles } from './mail-troubles.ts';
import { processTroubles } from './process-troubles.ts';
import { reporterTroubles } from './reporter-troubles.ts';
import { type EnvironmentRig, openEnvironmentRig } from './rig.ts';
import { slowCallers } from './slow-callers.ts';

/** Faults around the portal: database, disks, clocks, its own process, mail and hostile clients. */
const environment: AttackGroup<EnvironmentRig> = {
  open: openEnvironmentRig,
  async judge(rig) {
    await rig.endRun();
    const { judged, emulator } = rig;
    rig.judged = rig;
    return sweepAndJudge(judged.instances[0].deps, { emulator, told: judged.told.splice(0) });
  },
  close: (rig) => rig.close(),
  attacks: [
    ...databaseStops,
    ...databaseTroubles,
    ...diskTroubles,
    ...processTroubles,
    ...clockTroubles,
    ...mailTroubles,
    ...reporterTroubles,
    ...slowCallers,
  ],
};

export default environment;
