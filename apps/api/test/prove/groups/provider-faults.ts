import type { AttackGroup } from '../attack.ts';
import { answers } from '../provider-faults/answers.ts';
import { type FaultBench, judgeRun, openFaultBench } from '../provider-faults/bench.ts';
import { failingDays } from '../provider-faults/failing-days.ts';
import { listings } from '../provider-faults/listings.ts';
import { meanwhile } from '../provider-faults/meanwhile.ts';
import { poison } from '../provider-faults/poison-mail.ts';
import { repeats } from '../provider-faults/repeats.ts';
import { restores } from '../provider-faults/restore.ts';
import { savedCardAttacks } from '../provider-faults/saved-cards.ts';
import { transport } from '../provider-faults/transport.ts';

/**
 * The provider and the line to it at their worst: rows F01 to F19, F26 to F28 and F51 to F55. F10 is an attack on us,
 * and stands with the environment's. F18 has none: nothing of the portal listens to the provider's webhooks, so every
 * run here is one in which they are missing.
 */
const group: AttackGroup<FaultBench> = {
  open: openFaultBench,
  judge: judgeRun,
  figures: (bench) => bench.run.figures,
  close: (bench) => bench.close(),
  attacks: [
    ...answers,
    ...transport,
    ...listings,
    ...repeats,
    ...meanwhile,
    ...poison,
    ...restores,
    ...savedCardAttacks,
    ...failingDays,
  ],
};

export default group;
