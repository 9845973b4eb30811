import { sql } from 'drizzle-orm';
import type { CrashPointOf } from '../../../../../apps/api/src/crash-points.ts';
import { decideRefund } from '../../../../../apps/api/src/modules/payments/refunds/decide-refund.ts';
import { compareAfterRestore } from '../../../../../apps/api/src/modules/payments/restore/compare-after-restore.ts';
import { openDeps } from '../../../../../apps/api/src/open-deps.ts';
import { advanceEngineClock } from '../../../../../apps/api/test/books/engine-clock.ts';
import { sweep } from '../../../../../apps/api/test/books/sweep.ts';
import { requestRefund } from '../../../../../apps/api/test/factories/requested-refunds.ts';
import { must } from '../provider-faults/payments.ts';
import { sweepAfterBoth, variantOf } from '../provider-faults/rig.ts';
import { dumpRows, restoreRows } from '../restores/copy-rows.ts';
import type { RefundBench } from './bench.ts';
import {
  accepted,
  attack,
  type Begun,
  begin,
  byHand,
  CASES,
  closeBatch,
  mustAgree,
  mustBe,
  PART,
  type RefundAttack,
  recover,
  rowsThere,
  saleKey,
  script,
  sweepImpatiently,
} from './rig.ts';

/** When the restored backup was made. */
const BACKUPS = ['before the request', 'waiting', 'sent, and lost', 'made'] as const;

async function restore(bench: RefundBench, backup: (typeof BACKUPS)[number]): Promise<void> {
  const { deps } = bench.portal;
  const url = deps.env.DATABASE_URL;
  const begun = await begin(bench, 'part');
  const { sale, refundId } = begun;
  if (backup === 'before the request') {
    await decideRefund(deps, { intentId: sale.paymentId, decision: { event: 'withdraw', refundId } });
  }
  if (backup === 'made') await sweepAfterBoth(bench, 1);
  if (backup === 'sent, and lost') {
    await script(bench, begun, { fault: 'reset', when: 'after', command: 'refund' });
    await sweepImpatiently(bench);
  }
  const dump = await dumpRows(url);
  const later = backup === 'before the request' ? await requestRefund(deps, sale, PART) : refundId;
  await recover(bench);
  await mustBe(bench, later, 'made');
  await restoreRows(url, dump, { how: 'delete' });
  await deps.db.query.execute(sql`
    UPDATE deployment SET restore_noticed_at = engine_now() + interval '1 second' WHERE restore_noticed_at IS NULL`);
  await advanceEngineClock(deps, 2);
  for (const seconds of [0, 301, 301]) {
    await advanceEngineClock(deps, seconds);
    await compareAfterRestore(deps);
  }
  await sweepAfterBoth(bench, 70);
  must(
    (await rowsThere(bench, sale)).filter((row) => row.startsWith('C')).length === 1,
    'it went back twice',
  );
  if (backup === 'made') return void (await mustBe(bench, refundId, 'made'));
  bench.refunds.mayBeHidden = true;
  bench.refunds.findings = ['unclaimed-refund'];
  if (backup !== 'before the request') await mustBe(bench, refundId, 'held');
}

/** A copy under another address has another prefix, and sends nothing. */
async function copy(bench: RefundBench): Promise<void> {
  const { deps } = bench.portal;
  const begun = await begin(bench, 'part');
  const copied = await openDeps({ ...deps.env, PUBLIC_URL: 'https://copy.example.com' });
  try {
    await sweep(copied);
  } finally {
    await copied.db.close();
  }
  must((await rowsThere(bench, begun.sale)).length === 1, 'the copy has refunded');
  await recover(bench);
  await mustBe(bench, begun.refundId, 'made');
}

/** Somebody enters the card company's dispute. */
const dispute = ({ portal }: RefundBench, { sale }: Pick<Begun, 'sale'>) =>
  portal.deps.db.query.execute(sql`
    INSERT INTO dispute (charge_id, amount_cents, opened_on) VALUES (${sale.chargeId}, 10825, '2026-11-20')`);

const DISPUTED = ['waiting', 'looked at', 'being sent', 'unknown'] as const;

/** The commit at which the database fails: before it is done, or after, with the answer lost. */
const COMMITS: CrashPointOf<'refunds'>[] = [
  'R09-inside-sending',
  'R10-sending',
  'R14-answer-stored',
  'R16-inside-made',
  'R17-made',
];
const STATES = ['08006', '40001', '40P01', '55P03', '57P01', '57014'];

/** What an office's import does to the invoice meanwhile. */
const IMPORTS = [
  sql`amount_cents = 20000`,
  sql`amount_cents = 4000, tax_cents = 0`,
  sql`amount_cents = 10000, tax_cents = 0`,
  sql`amount_cents = 10825`,
];
const MOMENTS = ['waiting', 'being sent', 'unknown'] as const;

export const around: RefundAttack[] = [
  attack(
    'RF76',
    'the database is put back, or copied: held, and nothing goes back twice',
    24,
    async (bench, round) => {
      const backup = [...BACKUPS, null][round.run % 5];
      return backup ? restore(bench, backup) : copy(bench);
    },
  ),
  attack(
    'RF77',
    'a dispute in each state: nothing starts, and what was sent ends by its own rules',
    14,
    async (bench, round) => {
      const when = variantOf(round, DISPUTED);
      const begun = await begin(bench, 'part');
      if (when === 'waiting') await dispute(bench, begun);
      if (when === 'looked at')
        bench.proxy.plan({ name: 'get', before: async () => void (await dispute(bench, begun)) });
      if (when === 'being sent')
        bench.proxy.plan({ name: 'refund', before: async () => void (await dispute(bench, begun)) });
      if (when === 'looked at' || when === 'being sent') await sweepAfterBoth(bench, 1);
      if (when === 'unknown') {
        await script(bench, begun, { fault: 'reset', when: 'after', command: 'refund' });
        await sweepImpatiently(bench);
        await dispute(bench, begun);
      }
      await recover(bench);
      const isSent = when === 'being sent' || when === 'unknown';
      await mustBe(bench, begun.refundId, isSent ? 'made' : 'held');
      must((await rowsThere(bench, begun.sale)).length === (isSent ? 2 : 1), 'it was started');
    },
  ),
  attack(
    'RF78',
    'a capture that is late, or fails: nothing before it, and dropped with it',
    10,
    async (bench, round) => {
      const sale = await accepted(bench);
      const { deps } = bench.portal;
      const refundId = await requestRefund(deps, sale, PART);
      await bench.emulator.script({
        fault: 'status',
        status: 500,
        when: 'before',
        command: 'capture',
        times: 3,
      });
      await sweepAfterBoth(bench, 1);
      await sweepAfterBoth(bench, 6);
      await mustBe(bench, refundId, 'waiting');
      must(
        (await rowsThere(bench, sale)).every((row) => row.startsWith('A')),
        'something was refunded before',
      );
      const isLost = round.run % 2 === 1;
      if (isLost) await byHand(bench, { command: 'void', trankey: await saleKey(bench, sale) });
      else await recover(bench);
      await closeBatch(bench);
      await recover(bench);
      await mustBe(bench, refundId, isLost ? 'withdrawn' : 'made');
    },
  ),
  attack(
    'RF79',
    'the database fails at a commit: read again before anything is done or said',
    30,
    async (bench, round) => {
      const point = variantOf(round, COMMITS);
      const code = STATES[Math.floor(round.run / COMMITS.length) % STATES.length];
      const begun = await begin(bench, 'part');
      let isReached = false;
      bench.at = (passed) => {
        if (passed !== point || isReached) return;
        isReached = true;
        throw Object.assign(new Error('Connection terminated unexpectedly'), { code });
      };
      await sweepAfterBoth(bench, 1);
      must(isReached, `${point} was not reached`);
      await recover(bench);
      await mustAgree(bench, begun);
    },
  ),
  attack(
    'RF80',
    'a process sleeps and its lease is taken: it sends nothing, and stores nothing',
    16,
    async (bench, round) => {
      const what = CASES[round.run % CASES.length] ?? 'part';
      const begun = await begin(bench, what);
      const name = variantOf(round, ['get', 'list'] as const);
      const other = await openDeps(bench.portal.deps.env);
      try {
        bench.proxy.plan({
          name,
          before: async () => {
            await advanceEngineClock(bench.portal.deps, 61);
            await sweep(other);
          },
        });
        await sweepAfterBoth(bench, 1);
      } finally {
        await other.db.close();
      }
      await recover(bench);
      await mustBe(bench, begun.refundId, 'made');
      await mustAgree(bench, begun);
    },
  ),
  attack('RF80b', 'who sleeps over an answer stores nothing of it', 4, async (bench, round) => {
    const begun = await begin(bench, round.run % 2 === 0 ? 'part' : 'whole');
    await script(bench, begun, { fault: 'status', status: 403, when: 'before', command: 'refund' });
    const other = await openDeps(bench.portal.deps.env);
    try {
      bench.proxy.plan({
        name: 'refund',
        before: async () => {
          await advanceEngineClock(bench.portal.deps, 61);
          await sweep(other);
        },
      });
      await sweepAfterBoth(bench, 1);
    } finally {
      await other.db.close();
    }
    await mustBe(bench, begun.refundId, 'unknown');
    await recover(bench);
    await mustBe(bench, begun.refundId, 'not_made');
    await mustAgree(bench, begun);
  }),
  attack(
    'RF81',
    'an import raises, lowers or exempts meanwhile: it is made all the same, to the cent',
    24,
    async (bench, round) => {
      const { db } = bench.portal.deps;
      const change = variantOf(round, IMPORTS);
      const moment = MOMENTS[Math.floor(round.run / IMPORTS.length) % MOMENTS.length];
      const effect = Math.floor(round.run / 12) % 2 === 0 ? 'due-again' : 'credited';
      const sale = await accepted(bench);
      await sweepAfterBoth(bench, 1);
      await closeBatch(bench);
      const refundId = await requestRefund(bench.portal.deps, sale, { ...PART, effect });
      const begun = { sale, refundId, what: 'part' } as const;
      const changeIt = async () =>
        void (await db.query.execute(sql`UPDATE invoice SET ${change} WHERE id = ${sale.invoiceId}`));
      if (moment === 'waiting') await changeIt();
      if (moment === 'being sent') bench.proxy.plan({ name: 'refund', before: changeIt });
      if (moment === 'unknown') {
        await script(bench, begun, { fault: 'reset', when: 'after', command: 'refund' });
        await sweepImpatiently(bench);
        await changeIt();
      }
      await recover(bench);
      const isOverpaid =
        moment === 'waiting' && effect === 'credited' && [1, 2].includes(round.run % IMPORTS.length);
      await mustBe(bench, refundId, isOverpaid ? 'held' : 'made');
      if (!isOverpaid) await mustAgree(bench, begun);
    },
  ),
];
