import type { AttackGroup } from '../attack.ts';
import { restores } from './restores.ts';
import { openRestoreRig, type RestoreRig } from './rig.ts';

/** Every way in which an older state of the books comes back. */
const group: AttackGroup<RestoreRig> = {
  open: openRestoreRig,
  async judge(rig) {
    const wrong = rig.wrong.splice(0);
    await rig.endRun();
    return wrong;
  },
  close: (rig) => rig.close(),
  attacks: restores,
};

export default group;
