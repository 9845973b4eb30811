import type { AttackGroup } from '../attack.ts';
import { judgeRun } from './judge-run.ts';
import { comparisonCrashes, doubleCrashes, paymentCrashes, recoveryCrashes } from './payment-crashes.ts';
import { reviewCrashes } from './review-crashes.ts';
import { type CrashRig, openCrashRig } from './rig.ts';

/** Processes that die at every point of a payment, of a review, and again during the recovery. */
const crashPoints: AttackGroup<CrashRig> = {
  open: openCrashRig,
  judge: judgeRun,
  close: (rig) => rig.close(),
  attacks: [...paymentCrashes, ...recoveryCrashes, ...comparisonCrashes, ...reviewCrashes, ...doubleCrashes],
};

export default crashPoints;
