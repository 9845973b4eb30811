import type { AttackGroup } from '../attack.ts';
import { judgeRound, openRefundRaceBench, type RefundRaceBench } from '../refund-races/bench.ts';
import { refundRaces } from '../refund-races/refund-races.ts';

/** Races over the refunds of one payment, on three instances. */
const group: AttackGroup<RefundRaceBench> = {
  open: openRefundRaceBench,
  judge: judgeRound,
  figures: ({ run }) => run.figures,
  close: (bench) => bench.close(),
  attacks: refundRaces,
};

export default group;
