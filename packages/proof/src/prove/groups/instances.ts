import type { AttackGroup } from '../attack.ts';
import { type InstancesBench, openInstancesBench } from '../instances/bench.ts';
import { chaos } from '../instances/chaos.ts';
import { restarts } from '../instances/restarts.ts';
import { sharedLoad } from '../instances/shared-load.ts';
import { sweepAndJudge } from '../races/sweep-and-judge.ts';

/** Three processes on one database behind a proxy, which share work and are restarted and killed. */
const instances: AttackGroup<InstancesBench> = {
  open: openInstancesBench,
  async judge(bench) {
    const told = bench.told.splice(0);
    return sweepAndJudge(bench.instances[0].deps, { emulator: bench.emulator, told });
  },
  close: (bench) => bench.close(),
  attacks: [...sharedLoad, ...restarts, ...chaos],
};

export default instances;
