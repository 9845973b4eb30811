import type { AttackGroup } from '../attack.ts';
import { answers } from './answers.ts';
import { around } from './around.ts';
import { hands } from './hands.ts';
import { keys } from './keys.ts';
import { lists, oneOfEach } from './lists.ts';
import { mail } from './mail.ts';
import { judgeRefundRun, openRefundRig, type RefundRig } from './rig.ts';
import { silence } from './silence.ts';

/** What the provider and its surroundings do to refunds: rows RF57 to RF82. */
const group: AttackGroup<RefundRig> = {
  open: openRefundRig,
  judge: judgeRefundRun,
  close: (rig) => rig.close(),
  attacks: [...silence, ...answers, ...keys, ...lists, ...oneOfEach, ...hands, ...around, ...mail],
};

export default group;
