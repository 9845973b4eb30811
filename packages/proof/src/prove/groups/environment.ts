import type { AttackGroup } from '../attack.ts';
import { type EnvironmentBench, openEnvironmentBench } from '../environment/bench.ts';
import { clockTroubles } from '../environment/clock-troubles.ts';
import { databaseStops } from '../environment/database-stops.ts';
import { databaseTroubles } from '../environment/database-troubles.ts';
import { diskTroubles } from '../environment/disk-troubles.ts';
import { mailTroubles } from '../environment/mail-troubles.ts';
import { processTroubles } from '../environment/process-troubles.ts';
import { reporterTroubles } from '../environment/reporter-troubles.ts';
import { slowCallers } from '../environment/slow-callers.ts';
import { sweepAndJudge } from '../races/sweep-and-judge.ts';

/** Faults around the portal: database, disks, clocks, its own process, mail and hostile clients. */
const environment: AttackGroup<EnvironmentBench> = {
  open: openEnvironmentBench,
  async judge(bench) {
    await bench.endRun();
    const { judged, emulator } = bench;
    bench.judged = bench;
    return sweepAndJudge(judged.instances[0].deps, { emulator, told: judged.told.splice(0) });
  },
  close: (bench) => bench.close(),
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
