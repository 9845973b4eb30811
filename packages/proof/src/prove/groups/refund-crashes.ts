import type { AttackGroup } from '../attack.ts';
import { type CrashRig, openCrashRig } from '../crash-points/rig.ts';
import { decisionCrashes } from '../refund-crashes/decision-crashes.ts';
import { judgeRefundCrash } from '../refund-crashes/judge-run.ts';
import { doubleRefundCrashes, refundCrashes } from '../refund-crashes/refund-crashes.ts';
import { requestCrashes } from '../refund-crashes/request-crashes.ts';
import { upheavalCrashes } from '../refund-crashes/upheaval-crashes.ts';

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
