import { sql } from 'drizzle-orm';
import { decideRefund } from '../../../../../apps/api/src/modules/payments/refunds/decide-refund.ts';
import { requestRefund } from '../../../../../apps/api/test/factories/requested-refunds.ts';
import { must } from '../provider-faults/payments.ts';
import { sweepAfterBoth, variantOf } from '../provider-faults/rig.ts';
import type { RefundBench } from './bench.ts';
import {
  attack,
  type Begun,
  begin,
  byHand,
  closeBatch,
  mustAgree,
  mustBe,
  paid,
  type RefundAttack,
  recover,
  refundByHand,
  rowsThere,
  saleKey,
  script,
  stateOf,
  sweepImpatiently,
  WHOLE,
} from './rig.ts';

/** A person decides that the provider's refund is this one. */
async function adopt(bench: RefundBench, { sale, refundId }: Begun, key: string): Promise<void> {
  const decided = await decideRefund(bench.portal.deps, {
    intentId: sale.paymentId,
    decision: {
      event: 'adopt',
      refundId,
      method: 'refund',
      transactionKey: key,
      reference: '',
      batchKey: null,
      actor: { id: null, name: 'Ana' },
    },
  });
  must(decided.result === 'applied', `the adoption was ${decided.result}`);
}

const keyOf = async ({ portal }: RefundBench, refundId: string) => {
  const { rows } = await portal.deps.db.query.execute<{ key: string | null }>(
    sql`SELECT transaction_key AS key FROM refund WHERE id = ${refundId}`,
  );
  return rows[0]?.key ?? null;
};

type Equal = 'before the look' | 'after the look' | 'after a lost answer' | 'beside a lost refund';
const EQUALS: Equal[] = ['before the look', 'after the look', 'after a lost answer', 'beside a lost refund'];

async function meetEqual(bench: RefundBench, begun: Begun, equal: Equal): Promise<void> {
  const { sale, refundId } = begun;
  switch (equal) {
    case 'before the look': {
      const key = await refundByHand(bench, sale);
      await sweepAfterBoth(bench, 1);
      await mustBe(bench, refundId, 'held');
      must((await rowsThere(bench, sale)).length === 2, 'it was sent beside an unclaimed one');
      await adopt(bench, begun, key);
      must((await keyOf(bench, refundId)) === key, 'another was adopted');
      return;
    }
    case 'after the look':
      bench.proxy.plan({ name: 'refund', before: async () => void (await refundByHand(bench, sale)) });
      await sweepAfterBoth(bench, 1);
      await mustBe(bench, refundId, 'made');
      must(
        !bench.refunds.byHand.has((await keyOf(bench, refundId)) ?? ''),
        'the wrong one was taken for ours',
      );
      bench.refunds.findings = ['unclaimed-refund'];
      return;
    case 'after a lost answer':
      await script(bench, begun, { fault: 'reset', when: 'before', command: 'refund' });
      await sweepImpatiently(bench);
      await refundByHand(bench, sale);
      await recover(bench);
      await mustBe(bench, refundId, 'made');
      must((await rowsThere(bench, sale)).length === 2, 'one was doubled');
      return;
    case 'beside a lost refund':
      await script(bench, begun, { fault: 'reset', when: 'after', command: 'refund' });
      await sweepImpatiently(bench);
      await refundByHand(bench, sale);
      await recover(bench);
      await mustBe(bench, refundId, 'held');
      // Neither refund is owned until a person decides.
      bench.refunds.findings = ['unclaimed-refund'];
      return;
  }
}

type Other = (bench: RefundBench, begun: Begun) => Promise<void>;

/** Another amount, before or during our request; settled sales are refunded, unsettled ones voided or adjusted. */
const OTHERS: Other[] = [
  async (bench, { sale, refundId }) => {
    await refundByHand(bench, sale, { amount: '7.00' });
    await recover(bench);
    await mustBe(bench, refundId, 'held');
    bench.refunds.findings = ['unclaimed-refund'];
  },
  async (bench, begun) => {
    const { sale, refundId } = begun;
    await script(bench, begun, { fault: 'reset', when: 'after', command: 'refund' });
    await sweepImpatiently(bench);
    await refundByHand(bench, sale, { amount: '7.00' });
    await recover(bench);
    await mustBe(bench, refundId, 'made');
    bench.refunds.findings = ['unclaimed-refund'];
  },
  async (bench, begun) => {
    const { sale, refundId } = begun;
    await script(bench, begun, { fault: 'reset', when: 'before', command: 'refund' });
    await sweepImpatiently(bench);
    await refundByHand(bench, sale, { amount: '7.00' });
    await recover(bench);
    await mustBe(bench, refundId, 'not_made');
    bench.refunds.findings = ['unclaimed-refund'];
  },
  async (bench, { sale, refundId }) => {
    // By hand, more than is left besides this one.
    await refundByHand(bench, sale, { amount: '100.00' });
    await recover(bench);
    await mustBe(bench, refundId, 'held');
    bench.refunds.findings = ['unclaimed-refund'];
  },
  async (bench, { refundId }) => {
    await byHand(bench, {
      command: 'cc:credit',
      amount: '50.00',
      orderid: 'a credit of theirs',
      creditcard: { number: '4000100011112224', expiration: '1230', cvc: '123' },
    });
    await recover(bench);
    await mustBe(bench, refundId, 'made');
  },
];

const UNSETTLED: Other[] = [
  async (bench, { sale, refundId }) => {
    await byHand(bench, { command: 'void', trankey: await saleKey(bench, sale) });
    bench.refunds.touched.add(sale.chargeId);
    await recover(bench);
    await mustBe(bench, refundId, 'held');
    bench.refunds.findings = ['voided-by-hand'];
  },
  async (bench, { sale, refundId }) => {
    // A released void can't be undone at the provider.
    await bench.emulator.switch({ releaseRefused: 'captured' });
    await sweepAfterBoth(bench, 1);
    await mustBe(bench, refundId, 'made');
    const taken = await byHand(bench, { command: 'unvoid', trankey: await saleKey(bench, sale) });
    must(taken.result_code === 'A', `the unvoid was answered ${JSON.stringify(taken)}`);
    await undo(bench, { sale, refundId, what: 'void' });
  },
  async (bench, { sale, refundId }) => {
    await byHand(bench, { command: 'adjust', trankey: await saleKey(bench, sale), amount: '90.00' });
    bench.refunds.touched.add(sale.chargeId);
    await recover(bench);
    await mustBe(bench, refundId, 'held');
    bench.refunds.findings = ['another-amount'];
  },
];

/** The provider undid the refund, and so do the books. */
async function undo(bench: RefundBench, { sale, refundId }: Begun): Promise<void> {
  const decided = await decideRefund(bench.portal.deps, {
    intentId: sale.paymentId,
    decision: { event: 'undo', refundId, actor: { id: null, name: 'Ana' } },
  });
  must(decided.result === 'applied', `the undoing was ${decided.result}`);
  const { rows } = await bench.portal.deps.db.query.execute<{ cents: number; balance: number }>(sql`
    SELECT (SELECT sum(CASE direction WHEN 'debit' THEN amount_cents ELSE -amount_cents END)
              FROM ledger_entry WHERE charge_id = ${sale.chargeId} AND account = 'card')::integer AS cents,
           balance_cents::integer AS balance FROM invoice WHERE id = ${sale.invoiceId}`);
  must(rows[0]?.cents === 108_25 && rows[0].balance === 0, `the books are ${JSON.stringify(rows[0])}`);
}

const CLERKS = ['echoed', 'dropped', 'foreign', "another row's"] as const;

export const hands: RefundAttack[] = [
  attack(
    'RF72',
    'an equal refund by hand: no transaction is in two rows, none is doubled',
    40,
    async (bench, round) => {
      await bench.emulator.switch({ echoesRefundClerk: Math.floor(round.run / EQUALS.length) % 2 === 0 });
      const begun = await begin(bench, 'part');
      await meetEqual(bench, begun, variantOf(round, EQUALS));
    },
  ),
  attack('RF72b', 'a refund that was there before is never taken for ours', 8, async (bench) => {
    const begun = await begin(bench, 'part');
    const { sale, refundId } = begun;
    // A person has seen it and lets this one continue.
    const key = await refundByHand(bench, sale);
    await sweepAfterBoth(bench, 1);
    await mustBe(bench, refundId, 'held');
    const decision = { event: 'keep-asking' as const, refundId, knownKeys: [key] };
    await decideRefund(bench.portal.deps, { intentId: sale.paymentId, decision });
    await script(bench, begun, { fault: 'reset', when: 'before', command: 'refund' });
    await sweepImpatiently(bench);
    await recover(bench);
    await mustBe(bench, refundId, 'not_made');
    bench.refunds.findings = ['unclaimed-refund'];
  }),
  attack(
    'RF73',
    'what else is done by hand: held, undone or reported, and never above the charge',
    30,
    async (bench, round) => {
      const work = variantOf(round, [...OTHERS, ...UNSETTLED]);
      await work(bench, await begin(bench, OTHERS.includes(work) ? 'part' : 'void'));
    },
  ),
  attack(
    'RF74',
    'our refund is voided by hand: reported, and undone to the cent',
    10,
    async (bench, round) => {
      const begun = await begin(bench, round.run % 2 === 0 ? 'part' : 'whole');
      await recover(bench);
      await mustBe(bench, begun.refundId, 'made');
      await byHand(bench, { command: 'void', trankey: await keyOf(bench, begun.refundId) });
      const isLeft = round.run % 4 >= 2;
      if (!isLeft) return undo(bench, begun);
      bench.refunds.findings = ['refund-undone-there'];
      bench.refunds.touched.add(begun.sale.chargeId);
    },
  ),
  attack('RF75', 'whatever the clerk of a row says: the same end', 16, async (bench, round) => {
    const clerk = variantOf(round, CLERKS);
    await bench.emulator.switch({ echoesRefundClerk: clerk !== 'dropped' });
    const begun = await begin(bench, 'part');
    const isThere = Math.floor(round.run / CLERKS.length) % 2 === 0;
    await script(bench, begun, { fault: 'reset', when: isThere ? 'after' : 'before', command: 'refund' });
    await sweepImpatiently(bench);
    if (clerk === 'foreign' || clerk === "another row's") {
      const other = clerk === 'foreign' ? 'Maria at the desk' : await otherMark(bench);
      await refundByHand(bench, begun.sale, { clerk: other, amount: isThere ? '20.00' : '50.00' });
    }
    await recover(bench);
    const isOurs = isThere || bench.refunds.byHand.size > 0;
    await mustBe(bench, begun.refundId, isOurs ? 'made' : 'not_made');
    await mustAgree(bench, begun);
    if (isThere && bench.refunds.byHand.size > 0) bench.refunds.findings = ['unclaimed-refund'];
  }),
  attack('RF75b', 'a refund of another order is never taken for ours', 4, async (bench) => {
    const other = await paid(bench);
    const begun = await begin(bench, 'part');
    await script(bench, begun, { fault: 'reset', when: 'before', command: 'refund' });
    await sweepImpatiently(bench);
    await refundByHand(bench, other);
    await recover(bench);
    await mustBe(bench, begun.refundId, 'not_made');
    bench.refunds.findings = ['unclaimed-refund'];
  }),
];

/** The mark of another sale's refund. */
async function otherMark(bench: RefundBench): Promise<string> {
  const sale = await paid(bench);
  await closeBatch(bench);
  const refundId = await requestRefund(bench.portal.deps, sale, WHOLE);
  await sweepAfterBoth(bench, 1);
  must((await stateOf(bench, refundId)) === 'made', 'the other refund was not made');
  const { rows } = await bench.portal.deps.db.query.execute<{ mark: string }>(
    sql`SELECT mark FROM refund WHERE id = ${refundId}`,
  );
  return rows[0]?.mark ?? '';
}
