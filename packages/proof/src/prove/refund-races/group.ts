import type { AttackGroup } from '../attack.ts';
import { refundRaces } from './refund-races.ts';
import { judgeRound, openRefundRaceRig, type RefundRaceRig } from './rig.ts';

/** Races over the refunds of one payment or invoice, on three instances. */
const group: AttackGroup<RefundRaceRig> = {
  open: openRefundRaceRig,
  judge: judgeRound,
  figures: ({ run }) => run.figures,
  close: (rig) => rig.close(),
  attacks: refundRaces,
};

export default group;
