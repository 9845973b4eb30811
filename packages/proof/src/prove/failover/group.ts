import type { AttackGroup } from '../attack.ts';
import { sweepAndJudge } from '../races/sweep-and-judge.ts';
import { failOvers } from './fail-overs.ts';
import { missingPrograms } from './programs.ts';
import { type FailoverRig, openFailoverRig } from './rig.ts';

/** A primary with standbys under Patroni, etcd and HAProxy, as in `deploy/ha`: whatever dies, nothing is lost. */
const failover: AttackGroup<FailoverRig> = {
  missing: missingPrograms,
  // A second process would find its addresses in use.
  isAlone: true,
  open: openFailoverRig,
  async judge(rig) {
    const { emulator, instances } = rig;
    return sweepAndJudge(instances[0].deps, { emulator, told: rig.told.splice(0) });
  },
  figures: (rig) => rig.figures,
  close: (rig) => rig.close(),
  attacks: failOvers,
};

export default failover;
