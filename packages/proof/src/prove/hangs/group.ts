import type { AttackGroup } from '../attack.ts';
import { sweepAndJudge } from '../races/sweep-and-judge.ts';
import { hourOfSilence } from './hour-of-silence.ts';
import { type HangsRig, openHangsRig } from './rig.ts';

/** The portal's dependencies accept connections and never answer. */
const hangs: AttackGroup<HangsRig> = {
  open: openHangsRig,
  async judge(rig) {
    rig.answerAgain();
    await rig.portal.kill();
    const { emulator, instances, told } = rig;
    return sweepAndJudge(instances[0].deps, { emulator, told: told.splice(0) });
  },
  figures: (rig) => rig.figures,
  close: (rig) => rig.close(),
  attacks: hourOfSilence,
};

export default hangs;
