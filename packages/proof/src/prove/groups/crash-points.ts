import type { AttackGroup } from '../attack.ts';
import { type CrashBench, openCrashBench } from '../crash-points/bench.ts';
import { judgeRun } from '../crash-points/judge-run.ts';
import {
  comparisonCrashes,
  doubleCrashes,
  paymentCrashes,
  recoveryCrashes,
} from '../crash-points/payment-crashes.ts';
import { reviewCrashes } from '../crash-points/review-crashes.ts';

/** Processes that die at every point of a payment, of a review, and again during the recovery. */
const crashPoints: AttackGroup<CrashBench> = {
  open: openCrashBench,
  judge: judgeRun,
  close: (bench) => bench.close(),
  attacks: [...paymentCrashes, ...recoveryCrashes, ...comparisonCrashes, ...reviewCrashes, ...doubleCrashes],
};

export default crashPoints;
