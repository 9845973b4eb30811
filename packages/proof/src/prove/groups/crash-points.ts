import type { AttackGroup } from '../attack.ts';
import { judgeRun } from '../crash-points/judge-run.ts';
import {
  comparisonCrashes,
  doubleCrashes,
  paymentCrashes,
  recoveryCrashes,
} from '../crash-points/payment-crashes.ts';
import { reviewCrashes } from '../crash-points/review-crashes.ts';
import { type CrashRig, openCrashRig } from '../crash-points/rig.ts';

/** Processes that die at every point of a payment, of a review, and again during the recovery. */
const crashPoints: AttackGroup<CrashRig> = {
  open: openCrashRig,
  judge: judgeRun,
  close: (rig) => rig.close(),
  attacks: [...paymentCrashes, ...recoveryCrashes, ...comparisonCrashes, ...reviewCrashes, ...doubleCrashes],
};

export default crashPoints;
