import type { AttackGroup } from '../attack.ts';
import { type CrashBench, openCrashBench } from '../crash-points/bench.ts';
import { judgeRefundCrash } from '../refund-crashes/judge-run.ts';
import { doubleRefundCrashes, refundCrashes } from '../refund-crashes/refund-crashes.ts';
import { requestCrashes } from '../refund-crashes/request-crashes.ts';

/** Processes that die at every point of a refund, and again during the recovery. */
const group: AttackGroup<CrashBench> = {
  open: openCrashBench,
  judge: judgeRefundCrash,
  close: (bench) => bench.close(),
  attacks: [...requestCrashes, ...refundCrashes, ...doubleRefundCrashes],
};

export default group;
