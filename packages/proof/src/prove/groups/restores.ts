import type { AttackGroup } from '../attack.ts';
import { openRestoreBench, type RestoreBench } from '../restores/bench.ts';
import { restores } from '../restores/restores.ts';

/** Every way in which an older state of the books comes back. */
const group: AttackGroup<RestoreBench> = {
  open: openRestoreBench,
  async judge(bench) {
    const wrong = bench.wrong.splice(0);
    await bench.endRun();
    return wrong;
  },
  close: (bench) => bench.close(),
  attacks: restores,
};

export default group;
