import type { AttackGroup } from '../attack.ts';
import { type HangsBench, openHangsBench } from '../hangs/bench.ts';
import { hourOfSilence } from '../hangs/hour-of-silence.ts';
import { sweepAndJudge } from '../races/sweep-and-judge.ts';

/** The portal's dependencies accept connections and never answer. */
const hangs: AttackGroup<HangsBench> = {
  open: openHangsBench,
  async judge(bench) {
    bench.answerAgain();
    await bench.portal.kill();
    const { emulator, instances, told } = bench;
    return sweepAndJudge(instances[0].deps, { emulator, told: told.splice(0) });
  },
  figures: (bench) => bench.figures,
  close: (bench) => bench.close(),
  attacks: hourOfSilence,
};

export default hangs;
