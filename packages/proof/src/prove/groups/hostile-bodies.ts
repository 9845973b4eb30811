import type { AttackGroup } from '../attack.ts';
import { type HostileBodiesBench, openHostileBodiesBench } from '../hostile-bodies/bench.ts';
import { generatedBodies } from '../hostile-bodies/generated-bodies.ts';
import { sweepAndJudge } from '../races/sweep-and-judge.ts';

/** Invalid bodies, sent to every call that takes one. */
const hostileBodies: AttackGroup<HostileBodiesBench> = {
  open: openHostileBodiesBench,
  judge: ({ portal }) => sweepAndJudge(portal.deps, { emulator: portal.emulator, told: [] }),
  close: (bench) => bench.close(),
  attacks: generatedBodies,
};

export default hostileBodies;
