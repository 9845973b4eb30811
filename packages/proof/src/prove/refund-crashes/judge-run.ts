import { compareLedgers, sweepUntilDone } from '../../../../../apps/api/test/books/books.ts';
import type { CrashBench } from '../crash-points/bench.ts';

/** Has the portal that lives sweep what is left; then books, both ledgers, and what was said of each refund. */
export async function judgeRefundCrash({ portal, emulator, run }: CrashBench): Promise<string[]> {
  await sweepUntilDone(portal.deps);
  return compareLedgers(portal.deps, emulator, { except: run.before });
}
