import type { AttackGroup } from '../attack.ts';
import { answers } from '../refund-faults/answers.ts';
import { around } from '../refund-faults/around.ts';
import { hands } from '../refund-faults/hands.ts';
import { keys } from '../refund-faults/keys.ts';
import { lists, oneOfEach } from '../refund-faults/lists.ts';
import { mail } from '../refund-faults/mail.ts';
import { judgeRefundRun, openRefundRig, type RefundRig } from '../refund-faults/rig.ts';
import { silence } from '../refund-faults/silence.ts';

/** What the provider and its surroundings do to refunds: rows RF57 to RF82. */
const group: AttackGroup<RefundRig> = {
  open: openRefundRig,
  judge: judgeRefundRun,
  close: (rig) => rig.close(),
  attacks: [...silence, ...answers, ...keys, ...lists, ...oneOfEach, ...hands, ...around, ...mail],
};

export default group;
