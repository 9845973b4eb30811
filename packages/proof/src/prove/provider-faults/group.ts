import { poison } from '../../../../../apps/api/test/mail/poison-mail.ts';
import type { AttackGroup } from '../attack.ts';
import { answers } from './answers.ts';
import { failingDays } from './failing-days.ts';
import { listings } from './listings.ts';
import { captureLies } from './lying-captures.ts';
import { meanwhile } from './meanwhile.ts';
import { transport } from './network/transport.ts';
import { repeats } from './repeats.ts';
import { restores } from './restore.ts';
import { type FaultRig, judgeRun, openFaultRig } from './rig.ts';
import { savedCardAttacks } from './saved-cards.ts';
import { strangeLists } from './strange-lists.ts';

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
