import type { AttackGroup } from '../attack.ts';
import { chaos } from '../instances/chaos.ts';
import { restarts } from '../instances/restarts.ts';
import { type InstancesRig, openInstancesRig } from '../instances/rig.ts';
import { sharedLoad } from '../instances/shared-load.ts';
import { sweepAndJudge } from '../races/sweep-and-judge.ts';

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
