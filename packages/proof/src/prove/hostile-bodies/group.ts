import type { AttackGroup } from '../attack.ts';
import { sweepAndJudge } from '../races/sweep-and-judge.ts';
import { generatedBodies } from './generated-bodies.ts';
import { type HostileBodiesRig, openHostileBodiesRig } from './rig.ts';

/** Invalid bodies, sent to every call that takes one. */
const hostileBodies: AttackGroup<HostileBodiesRig> = {
  open: openHostileBodiesRig,
  judge: ({ portal }) => sweepAndJudge(portal.deps, { emulator: portal.emulator, told: [] }),
  close: (rig) => rig.close(),
  attacks: generatedBodies,
};

export default hostileBodies;
