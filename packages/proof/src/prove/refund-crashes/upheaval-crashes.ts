import { sql } from 'drizzle-orm';
import { decideRefund } from '../../../../../apps/api/src/modules/payments/refunds/decide-refund.ts';
import { compareAfterRestore } from '../../../../../apps/api/src/modules/payments/restore/compare-after-restore.ts';
import { advanceEngineClock } from '../../../../../apps/api/test/books/engine-clock.ts';
import { sweep, sweepUntilDone } from '../../../../../apps/api/test/books/sweep.ts';
import { requestRefundOfEach } from '../../../../../apps/api/test/factories/requested-refunds.ts';
import { KINDS } from './refund-cases.ts';
import {
  type CrashAttack,
  closeBatches,
  idOf,
  mustBe,
  mustEnd,
  partsOf,
  pay,
  payUncaptured,
  rowOf,
  wordsOf,
} from './refund-sales.ts';

const DROP = 'R31-inside-drop';
const HOLD = 'R33-inside-hold';

/** A failed capture withdraws its charge's refund; the other charges' refunds go on. */
const drops: CrashAttack[] = KINDS.map((kind) => ({
  id: `C${idOf(DROP)} ${kind}`,
  name: `a capture that failed dies ${wordsOf(DROP)}, and its refund goes with it or neither does`,
  runs: 1,
  async run(rig) {
    const { emulator, portal, processes } = rig;
    const sales = await payUncaptured(rig, kind);
    await requestRefundOfEach(portal.deps, sales, partsOf(kind));
    const { merchant, key } = await rowOf(rig, sales[0]);
    await emulator.callAs(merchant, 'POST', '/transactions', { command: 'void', trankey: key });
    await sweep(portal.deps);
    await advanceEngineClock(portal.deps, 61);
    await (await processes.crashAt(DROP)).killed();
    await mustBe(rig, sales.slice(0, 1), 'waiting');
    await sweepUntilDone(portal.deps);
    await mustBe(rig, sales.slice(0, 1), 'withdrawn');
    await closeBatches(rig);
    await mustEnd(rig, sales.slice(1), kind);
  },
}));

/** After a restore each unfinished refund is held until a person decides. */
const holds: CrashAttack[] = KINDS.map((kind) => ({
  id: `C${idOf(HOLD)} ${kind}`,
  name: `the comparison after a restore dies ${wordsOf(HOLD)}, and each refund is held before payments open`,
  runs: 1,
  async run(rig) {
    const { portal, processes } = rig;
    const { deps } = portal;
    const sales = await pay(rig, kind);
    const ids = await requestRefundOfEach(deps, sales, partsOf(kind));
    await deps.db.query.execute(
      sql`UPDATE deployment SET restore_noticed_at = engine_now() + interval '1 second'`,
    );
    await advanceEngineClock(deps, 2);
    await (await processes.crashAt(HOLD)).killed();
    await mustBe(rig, sales, 'waiting');
    for (const seconds of [301, 301, 301]) {
      await advanceEngineClock(deps, seconds);
      await compareAfterRestore(deps);
    }
    await sweepUntilDone(deps);
    await mustBe(rig, sales, 'held');
    for (const refundId of ids) {
      const intentId = sales[0]?.paymentId ?? '';
      await decideRefund(deps, { intentId, decision: { event: 'withdraw', refundId } });
    }
    await mustBe(rig, sales, 'withdrawn');
  },
}));

/** Crashes while waiting refunds are dropped or held. */
export const upheavalCrashes: CrashAttack[] = [...drops, ...holds];
