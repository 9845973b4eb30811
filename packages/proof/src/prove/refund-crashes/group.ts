import type { AttackGroup } from '../attack.ts';
import { type CrashRig, openCrashRig } from '../crash-points/rig.ts';
import { decisionCrashes } from './decision-crashes.ts';
import { judgeRefundCrash } from './judge-run.ts';
import { doubleRefundCrashes, refundCrashes } from './refund-crashes.ts';
import { requestCrashes } from './request-crashes.ts';
import { upheavalCrashes } from './upheaval-crashes.ts';

/** Processes that die at every point of a refund, and again during the recovery. */
const group: AttackGroup<CrashRig> = {
  open: openCrashRig,
  judge: judgeRefundCrash,
  close: (rig) => rig.close(),
  attacks: [
    ...requestCrashes,
    ...decisionCrashes,
    ...upheavalCrashes,
    ...refundCrashes,
    ...doubleRefundCrashes,
  ],
};

export default group;
