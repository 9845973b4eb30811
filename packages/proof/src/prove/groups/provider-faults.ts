import { poison } from '../../../../../apps/api/test/mail/poison-mail.ts';
import type { AttackGroup } from '../attack.ts';
import { answers } from '../provider-faults/answers.ts';
import { failingDays } from '../provider-faults/failing-days.ts';
import { listings } from '../provider-faults/listings.ts';
import { captureLies } from '../provider-faults/lying-captures.ts';
import { meanwhile } from '../provider-faults/meanwhile.ts';
import { transport } from '../provider-faults/network/transport.ts';
import { repeats } from '../provider-faults/repeats.ts';
import { restores } from '../provider-faults/restore.ts';
import { type FaultRig, judgeRun, openFaultRig } from '../provider-faults/rig.ts';
import { savedCardAttacks } from '../provider-faults/saved-cards.ts';
import { strangeLists } from '../provider-faults/strange-lists.ts';

/**
 * The provider and the network at their worst: rows F01 to F19, F26 to F28, F51 to F55 and F58 to F62. F10 attacks the
 * portal, so it is in the environment group. F18 needs no attack: the portal doesn't listen to webhooks, so they are
 * missing in every run here.
 */
const group: AttackGroup<FaultRig> = {
  open: openFaultRig,
  judge: judgeRun,
  figures: (rig) => rig.run.figures,
  close: (rig) => rig.close(),
  attacks: [
    ...answers,
    ...transport,
    ...listings,
    ...strangeLists,
    ...captureLies,
    ...repeats,
    ...meanwhile,
    ...poison,
    ...restores,
    ...savedCardAttacks,
    ...failingDays,
  ],
};

export default group;
