import { compareLedgers } from '../../../../../apps/api/test/books/compare-ledgers.ts';
import { sweepUntilDone } from '../../../../../apps/api/test/books/sweep.ts';
import type { CrashRig } from '../crash-points/rig.ts';

/** The surviving portal sweeps; then checks books, both ledgers, and what people were told about each refund. */
export async function judgeRefundCrash({ portal, emulator, run }: CrashRig): Promise<string[]> {
  await sweepUntilDone(portal.deps);
  return compareLedgers(portal.deps, emulator, { except: run.before });
}
