import { type SQL, sql } from 'drizzle-orm';
import type { CrashPointOf } from '../../../../../apps/api/src/crash-points.ts';
import { decideRefund } from '../../../../../apps/api/src/modules/payments/refunds/decide-refund.ts';
import { compareAfterRestore } from '../../../../../apps/api/src/modules/payments/restore/compare-after-restore.ts';
import { openDeps } from '../../../../../apps/api/src/open-deps.ts';
import { advanceEngineClock } from '../../../../../apps/api/test/books/engine-clock.ts';
import { sweep } from '../../../../../apps/api/test/books/sweep.ts';
import { requestRefund } from '../../../../../apps/api/test/factories/requested-refunds.ts';
import { sweepAfterBoth, variantOf } from '../provider-faults/fault-attack.ts';
import { must } from '../provider-faults/payments.ts';
import { dumpRows, restoreRows } from '../restores/copy-rows.ts';
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
} from './refund-attack.ts';
import type { RefundRig } from './rig.ts';

/** When the restored backup was made. */
const BACKUPS = ['before the request', 'waiting', 'sent, and lost', 'made'] as const;

async function restore(rig: RefundRig, backup: (typeof BACKUPS)[number]): Promise<void> {
  const { deps } = rig.portal;
  const url = deps.env.DATABASE_URL;
  const begun = await begin(rig, 'part');
  const { sale, refundId } = begun;
  if (backup === 'before the request') {
    await decideRefund(deps, { intentId: sale.paymentId, decision: { event: 'withdraw', refundId } });
  }
  if (backup === 'made') await sweepAfterBoth(rig, 1);
  if (backup === 'sent, and lost') {
    await script(rig, begun, { fault: 'reset', when: 'after', command: 'refund' });
    await sweepImpatiently(rig);
  }
  const dump = await dumpRows(url);
  const later = backup === 'before the request' ? await requestRefund(deps, sale, PART) : refundId;
  await recover(rig);
  await mustBe(rig, later, 'made');
  await restoreRows(url, dump, { how: 'delete' });
  await deps.db.query.execute(sql`
    UPDATE deployment SET restore_noticed_at = engine_now() + interval '1 second' WHERE restore_noticed_at IS NULL`);
  await advanceEngineClock(deps, 2);
  for (const seconds of [0, 301, 301]) {
    await advanceEngineClock(deps, seconds);
    await compareAfterRestore(deps);
  }
  await sweepAfterBoth(rig, 70);
  must((await rowsThere(rig, sale)).filter((row) => row.startsWith('C')).length === 1, 'it went back twice');
  if (backup === 'made') return void (await mustBe(rig, refundId, 'made'));
  rig.refunds.mayBeHidden = true;
  rig.refunds.findings = ['unclaimed-refund'];
  if (backup !== 'before the request') await mustBe(rig, refundId, 'held');
}

/** A copy under another address has another prefix, and sends nothing. */
async function copy(rig: RefundRig): Promise<void> {
  const { deps } = rig.portal;
  const begun = await begin(rig, 'part');
  const copied = await openDeps({ ...deps.env, PUBLIC_URL: 'https://copy.example.com' });
  try {
    await sweep(copied);
  } finally {
    await copied.db.close();
  }
  must((await rowsThere(rig, begun.sale)).length === 1, 'the copy has refunded');
  await recover(rig);
  await mustBe(rig, begun.refundId, 'made');
}

/** Somebody enters the card company's dispute. */
const dispute = ({ portal }: RefundRig, { sale }: Pick<Begun, 'sale'>) =>
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

/** What an office's import does to the invoice meanwhile, and what it asks once 50.00 are credited. */
const IMPORTS = [
  { change: sql`amount_cents = 20000`, creditedCents: 150_00 },
  { change: sql`amount_cents = 4000, tax_cents = 0`, creditedCents: 40_00 },
  { change: sql`amount_cents = 10000, tax_cents = 0`, creditedCents: 58_25 },
  { change: sql`amount_cents = 10825`, creditedCents: 58_25 },
];
const MOMENTS = ['waiting', 'being sent', 'unknown'] as const;

type Import = { change: SQL; moment: (typeof MOMENTS)[number]; effect: 'due-again' | 'credited' };

/** Refunds 50.00 of 108.25 while the office changes the invoice. */
async function importMeanwhile(rig: RefundRig, { change, moment, effect }: Import): Promise<Begun> {
  const sale = await accepted(rig);
  await sweepAfterBoth(rig, 1);
  await closeBatch(rig);
  const refundId = await requestRefund(rig.portal.deps, sale, { ...PART, effect });
  const begun = { sale, refundId, what: 'part' } as const;
  const changeIt = async () =>
    void (await rig.portal.deps.db.query.execute(
      sql`UPDATE invoice SET ${change} WHERE id = ${sale.invoiceId}`,
    ));
  if (moment === 'waiting') await changeIt();
  if (moment === 'being sent') {
    rig.proxy.plan({ name: 'refund', before: changeIt });
    await sweepAfterBoth(rig, 1);
  }
  if (moment === 'unknown') {
    await script(rig, begun, { fault: 'reset', when: 'after', command: 'refund' });
    await sweepImpatiently(rig);
    await changeIt();
  }
  await recover(rig);
  return begun;
}

async function mustAsk(
  { portal }: RefundRig,
  { invoiceId }: { invoiceId: number },
  expected: number,
): Promise<void> {
  const { rows } = await portal.deps.db.query.execute<{ cents: number }>(
    sql`SELECT amount_cents AS cents FROM invoice WHERE id = ${invoiceId}`,
  );
  must(Number(rows[0]?.cents) === expected, `the invoice asks ${rows[0]?.cents} cents, not ${expected}`);
}

export const around: RefundAttack[] = [
  attack(
    'RF76',
    'the database is put back, or copied: held, and nothing goes back twice',
    24,
    async (rig, round) => {
      const backup = [...BACKUPS, null][round.run % 5];
      return backup ? restore(rig, backup) : copy(rig);
    },
  ),
  attack(
    'RF77',
    'a dispute in each state: nothing starts, and what was sent ends by its own rules',
    14,
    async (rig, round) => {
      const when = variantOf(round, DISPUTED);
      const begun = await begin(rig, 'part');
      if (when === 'waiting') await dispute(rig, begun);
      if (when === 'looked at')
        rig.proxy.plan({ name: 'get', before: async () => void (await dispute(rig, begun)) });
      if (when === 'being sent')
        rig.proxy.plan({ name: 'refund', before: async () => void (await dispute(rig, begun)) });
      if (when === 'looked at' || when === 'being sent') await sweepAfterBoth(rig, 1);
      if (when === 'unknown') {
        await script(rig, begun, { fault: 'reset', when: 'after', command: 'refund' });
        await sweepImpatiently(rig);
        await dispute(rig, begun);
      }
      await recover(rig);
      const isSent = when === 'being sent' || when === 'unknown';
      await mustBe(rig, begun.refundId, isSent ? 'made' : 'held');
      must((await rowsThere(rig, begun.sale)).length === (isSent ? 2 : 1), 'it was started');
    },
  ),
  attack(
    'RF78',
    'a capture that is late, or fails: nothing before it, and dropped with it',
    10,
    async (rig, round) => {
      const sale = await accepted(rig);
      const { deps } = rig.portal;
      const refundId = await requestRefund(deps, sale, PART);
      await rig.emulator.script({
        fault: 'status',
        status: 500,
        when: 'before',
        command: 'capture',
        times: 3,
      });
      await sweepAfterBoth(rig, 1);
      await sweepAfterBoth(rig, 6);
      await mustBe(rig, refundId, 'waiting');
      must(
        (await rowsThere(rig, sale)).every((row) => row.startsWith('A')),
        'something was refunded before',
      );
      const isLost = round.run % 2 === 1;
      // A restore may have brought it back meanwhile.
      if (round.run % 4 === 3)
        await decideRefund(deps, {
          intentId: sale.paymentId,
          decision: { event: 'hold', refundId, heldFor: 'restored' },
        });
      if (isLost) await byHand(rig, { command: 'void', trankey: await saleKey(rig, sale) });
      else await recover(rig);
      await closeBatch(rig);
      await recover(rig);
      await mustBe(rig, refundId, isLost ? 'withdrawn' : 'made');
    },
  ),
  attack(
    'RF79',
    'the database fails at a commit: read again before anything is done or said',
    30,
    async (rig, round) => {
      const point = variantOf(round, COMMITS);
      const code = STATES[Math.floor(round.run / COMMITS.length) % STATES.length];
      const begun = await begin(rig, 'part');
      let isReached = false;
      rig.at = (passed) => {
        if (passed !== point || isReached) return;
        isReached = true;
        throw Object.assign(new Error('Connection terminated unexpectedly'), { code });
      };
      await sweepAfterBoth(rig, 1);
      must(isReached, `${point} was not reached`);
      await recover(rig);
      await mustAgree(rig, begun);
    },
  ),
  attack(
    'RF80',
    'a process sleeps and its lease is taken: it sends nothing, and stores nothing',
    16,
    async (rig, round) => {
      const what = CASES[round.run % CASES.length] ?? 'part';
      const begun = await begin(rig, what);
      const name = variantOf(round, ['get', 'list'] as const);
      const other = await openDeps(rig.portal.deps.env);
      try {
        rig.proxy.plan({
          name,
          before: async () => {
            await advanceEngineClock(rig.portal.deps, 61);
            await sweep(other);
          },
        });
        await sweepAfterBoth(rig, 1);
      } finally {
        await other.db.close();
      }
      await recover(rig);
      await mustBe(rig, begun.refundId, 'made');
      await mustAgree(rig, begun);
    },
  ),
  attack('RF80b', 'who sleeps over an answer stores nothing of it', 4, async (rig, round) => {
    const begun = await begin(rig, round.run % 2 === 0 ? 'part' : 'whole');
    await script(rig, begun, { fault: 'status', status: 403, when: 'before', command: 'refund' });
    const other = await openDeps(rig.portal.deps.env);
    try {
      rig.proxy.plan({
        name: 'refund',
        before: async () => {
          await advanceEngineClock(rig.portal.deps, 61);
          await sweep(other);
        },
      });
      await sweepAfterBoth(rig, 1);
    } finally {
      await other.db.close();
    }
    await mustBe(rig, begun.refundId, 'unknown');
    await recover(rig);
    await mustBe(rig, begun.refundId, 'not_made');
    await mustAgree(rig, begun);
  }),
  attack(
    'RF81',
    'an import raises, lowers or exempts meanwhile: it is made all the same, to the cent',
    24,
    async (rig, round) => {
      const { change, creditedCents } = variantOf(round, IMPORTS);
      const moment = MOMENTS[Math.floor(round.run / IMPORTS.length) % MOMENTS.length] ?? 'waiting';
      const effect = Math.floor(round.run / 12) % 2 === 0 ? 'due-again' : 'credited';
      const begun = await importMeanwhile(rig, { change, moment, effect });
      const isOverpaid =
        moment === 'waiting' && effect === 'credited' && [1, 2].includes(round.run % IMPORTS.length);
      await mustBe(rig, begun.refundId, isOverpaid ? 'held' : 'made');
      if (isOverpaid) return;
      await mustAgree(rig, begun);
      if (effect === 'credited') await mustAsk(rig, begun.sale, creditedCents);
    },
  ),
  attack(
    'RF81b',
    'the office takes a credit off itself while it is on its way: it counts once',
    6,
    async (rig, round) => {
      const change = sql`amount_cents = 5825, tax_cents = 444`;
      const moment = variantOf(round, ['unknown', 'being sent'] as const);
      const begun = await importMeanwhile(rig, { change, moment, effect: 'credited' });
      await mustBe(rig, begun.refundId, 'made');
      await mustAgree(rig, begun);
      await mustAsk(rig, begun.sale, 58_25);
    },
  ),
];
