import type { AttackGroup } from '../attack.ts';
import { generatedBodies } from '../hostile-bodies/generated-bodies.ts';
import { type HostileBodiesRig, openHostileBodiesRig } from '../hostile-bodies/rig.ts';
import { sweepAndJudge } from '../races/sweep-and-judge.ts';

/** Invalid bodies, sent to every call that takes one. */
const hostileBodies: AttackGroup<HostileBodiesRig> = {
  open: openHostileBodiesRig,
  judge: ({ portal }) => sweepAndJudge(portal.deps, { emulator: portal.emulator, told: [] }),
  close: (rig) => rig.close(),
  attacks: generatedBodies,
};

export default hostileBodies;
