import { sql } from 'drizzle-orm';
import { restAccount } from '../../../../../apps/api/src/modules/payments/sweep/leases.queries.ts';
import { advanceEngineClock } from '../../../../../apps/api/test/books/engine-clock.ts';
import { sweep } from '../../../../../apps/api/test/books/sweep.ts';
import {
  type Refundable,
  requestRefundOfEach,
} from '../../../../../apps/api/test/factories/requested-refunds.ts';
import type { CrashRig } from '../crash-points/rig.ts';
import { must } from '../provider-faults/payments.ts';
import { waitUntil } from '../races/wait-until.ts';
import {
  comesTo,
  isPassedAfter,
  type Kind,
  passesOf,
  REFUND_CASES,
  type RefundCase,
  SECOND_POINTS,
} from './refund-cases.ts';
import {
  type CrashAttack,
  closeBatches,
  countBack,
  idOf,
  mustEnd,
  partsOf,
  pay,
  wordsOf,
} from './refund-sales.ts';

/** The longest rest that the lanes don't end: the first process is dead by then, and the recovery begins later. */
const REST_SECONDS = 60;

/** Rests the accounts of these sales, so that none of their refunds is under way when the process dies. */
async function rest({ portal }: CrashRig, sales: Refundable[]): Promise<void> {
  const { query } = portal.deps.db;
  const ids = sql.param(sales.map(({ chargeId }) => chargeId));
  const { rows } = await query.execute<{ accountId: number }>(
    sql`SELECT merchant_account_id AS "accountId" FROM charge WHERE id = ANY(${ids}::uuid[])`,
  );
  for (const { accountId } of rows) await restAccount(query, { accountId, seconds: REST_SECONDS });
}

/** Refunds in a process that kills itself at its point. With `alone`, the accounts of all other sales rest. */
async function dieAt(
  rig: CrashRig,
  { point, left, lost }: RefundCase,
  { kind, pass = 1, alone }: { kind: Kind; pass?: number; alone?: number | undefined },
): Promise<Refundable[]> {
  const { portal, emulator } = rig;
  const sales = await pay(rig, kind);
  const [sale] = sales;
  if (!sale) throw new Error('nothing was paid');
  await requestRefundOfEach(portal.deps, sales, partsOf(kind));
  if (lost) {
    await emulator.script({ fault: 'reset', when: lost, command: 'refund', times: sales.length });
    await sweep(portal.deps);
    if (point === 'R25-inside-end') {
      await advanceEngineClock(portal.deps, 1000);
      await sweep(portal.deps);
    }
    await advanceEngineClock(portal.deps, point === 'R23-absence-noted' ? 1000 : 70);
  }
  if (left === 'refused') {
    const answer = { result_code: 'E', error: 'Refused', error_code: 117, errorcode: 117, key: null };
    await emulator.script({ fault: 'wrong', when: 'before', command: 'void', answer });
  }
  if (alone !== undefined) await rest(rig, sales.toSpliced(alone, 1));
  const crashing = await rig.processes.crashAt(point, pass);
  await crashing.killed();
  // Bytes already sent still arrive.
  if (point === 'R12-refund-written')
    await waitUntil(async () => (await countBack(rig, sales)) >= pass, 'the refund has arrived');
  if (left === 'refused') await closeBatches(rig);
  return sales;
}

/** Crashes at every point that a refund passes in the sweep. */
export const refundCrashes: CrashAttack[] = REFUND_CASES.flatMap((each) =>
  each.kinds.map((kind) => ({
    id: `C${idOf(each.point)} ${kind}`,
    name: `a refund dies ${wordsOf(each.point)}, and goes back once or not at all`,
    runs: passesOf(each, kind),
    async run(rig, { run }) {
      const sales = await dieAt(rig, each, { kind, pass: 1 + (run % passesOf(each, kind)) });
      await mustEnd(rig, sales, kind);
    },
  })),
);

/**
 * The same crashes, followed by a second one during the recovery. Accounts are swept in parallel, so when one of three
 * rows dies, the other two may be anywhere. If only those two pass the second point, their accounts rest until the
 * recovery, which then always passes it.
 */
export const doubleRefundCrashes: CrashAttack[] = REFUND_CASES.flatMap((each) =>
  each.kinds.flatMap((kind) =>
    SECOND_POINTS.flatMap((second) => {
      if (!isPassedAfter(second, each, kind)) return [];
      const isOwn = comesTo(second, each, kind);
      return {
        id: `C${idOf(each.point)} ${kind} + ${idOf(second)}`,
        name: `a refund dies ${wordsOf(each.point)}, its recovery ${wordsOf(second)}, and it goes back once or not at all`,
        runs: kind === 'three' ? 2 : 1,
        async run(rig, { run }) {
          // At R12 refunds are counted, so no other refund may be under way when the first process dies.
          const mayMeet = isOwn && second !== 'R12-refund-written' && run > 0;
          const alone = kind === 'three' && !mayMeet ? run : undefined;
          const sales = await dieAt(rig, each, { kind, alone });
          const before = await countBack(rig, sales);
          await advanceEngineClock(rig.portal.deps, 61);
          must(await rig.processes.recoverUntil(second), `the recovery did not come to ${second}`);
          if (second === 'R12-refund-written')
            await waitUntil(async () => (await countBack(rig, sales)) > before, 'the refund has arrived');
          await mustEnd(rig, sales, kind);
        },
      } satisfies CrashAttack;
    }),
  ),
);
