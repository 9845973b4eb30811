import type { AttackGroup } from '../attack.ts';
import { sweepAndJudge } from '../races/sweep-and-judge.ts';
import { chaos } from './chaos.ts';
import { restarts } from './restarts.ts';
import { type InstancesRig, openInstancesRig } from './rig.ts';
import { sharedLoad } from './shared-load.ts';

/** Three processes on one database behind a proxy, which share work and are restarted and killed. */
const instances: AttackGroup<InstancesRig> = {
  open: openInstancesRig,
  async judge(rig) {
    const told = rig.told.splice(0);
    return sweepAndJudge(rig.instances[0].deps, { emulator: rig.emulator, told });
  },
  close: (rig) => rig.close(),
  attacks: [...sharedLoad, ...restarts, ...chaos],
};

export default instances;
