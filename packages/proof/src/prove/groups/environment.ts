import type { AttackGroup } from '../attack.ts';
import { clockTroubles } from '../environment/clock-troubles.ts';
import { databaseStops } from '../environment/database-stops.ts';
import { databaseTroubles } from '../environment/database-troubles.ts';
import { diskTroubles } from '../environment/disk-troubles.ts';
import { mailTroubles } from '../environment/mail-troubles.ts';
import { processTroubles } from '../environment/process-troubles.ts';
import { reporterTroubles } from '../environment/reporter-troubles.ts';
import { type EnvironmentRig, openEnvironmentRig } from '../environment/rig.ts';
import { slowCallers } from '../environment/slow-callers.ts';
import { sweepAndJudge } from '../races/sweep-and-judge.ts';

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
