import { sql } from 'drizzle-orm';
import { decideRefund } from '../../../../../apps/api/src/modules/payments/refunds/decide-refund.ts';
import { requestRefund } from '../../../../../apps/api/test/factories/requested-refunds.ts';
import { sweepAfterBoth, variantOf } from '../provider-faults/fault-attack.ts';
import { must } from '../provider-faults/payments.ts';
import {
  attack,
  type Begun,
  begin,
  byHand,
  closeBatch,
  mustAgree,
  mustBe,
  paid,
  partsOf,
  type RefundAttack,
  recover,
  refundByHand,
  rowsThere,
  saleKey,
  script,
  stateOf,
  sweepImpatiently,
  WHOLE,
} from './refund-attack.ts';
import type { RefundRig } from './rig.ts';

/** A person decides that the provider's refund is this one. */
async function adopt(rig: RefundRig, { sale, refundId }: Begun, key: string): Promise<void> {
  const decided = await decideRefund(rig.portal.deps, {
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

const keyOf = async ({ portal }: RefundRig, refundId: string) => {
  const { rows } = await portal.deps.db.query.execute<{ key: string | null }>(
    sql`SELECT transaction_key AS key FROM refund WHERE id = ${refundId}`,
  );
  return rows[0]?.key ?? null;
};

type Equal = 'before the look' | 'after the look' | 'after a lost answer' | 'beside a lost refund';
const EQUALS: Equal[] = ['before the look', 'after the look', 'after a lost answer', 'beside a lost refund'];

async function meetEqual(rig: RefundRig, begun: Begun, equal: Equal): Promise<void> {
  const { sale, refundId } = begun;
  switch (equal) {
    case 'before the look': {
      const key = await refundByHand(rig, sale);
      await sweepAfterBoth(rig, 1);
      await mustBe(rig, refundId, 'held');
      must((await rowsThere(rig, sale)).length === 2, 'it was sent beside an unclaimed one');
      await adopt(rig, begun, key);
      must((await keyOf(rig, refundId)) === key, 'another was adopted');
      return;
    }
    case 'after the look':
      rig.proxy.plan({ name: 'refund', before: async () => void (await refundByHand(rig, sale)) });
      await sweepAfterBoth(rig, 1);
      await mustBe(rig, refundId, 'made');
      must(!rig.refunds.byHand.has((await keyOf(rig, refundId)) ?? ''), 'the wrong one was taken for ours');
      rig.refunds.findings = ['unclaimed-refund'];
      return;
    case 'after a lost answer':
      await script(rig, begun, { fault: 'reset', when: 'before', command: 'refund' });
      await sweepImpatiently(rig);
      await refundByHand(rig, sale);
      await recover(rig);
      await mustBe(rig, refundId, 'made');
      must((await rowsThere(rig, sale)).length === 2, 'one was doubled');
      return;
    case 'beside a lost refund':
      await script(rig, begun, { fault: 'reset', when: 'after', command: 'refund' });
      await sweepImpatiently(rig);
      await refundByHand(rig, sale);
      await recover(rig);
      await mustBe(rig, refundId, 'held');
      // Neither refund is owned until a person decides.
      rig.refunds.findings = ['unclaimed-refund'];
      return;
  }
}

type Other = (rig: RefundRig, begun: Begun) => Promise<void>;

/** Another amount, before or during our request; settled sales are refunded, unsettled ones voided or adjusted. */
const OTHERS: Other[] = [
  async (rig, { sale, refundId }) => {
    await refundByHand(rig, sale, { amount: '7.00' });
    await recover(rig);
    await mustBe(rig, refundId, 'held');
    rig.refunds.findings = ['unclaimed-refund'];
  },
  async (rig, begun) => {
    const { sale, refundId } = begun;
    await script(rig, begun, { fault: 'reset', when: 'after', command: 'refund' });
    await sweepImpatiently(rig);
    await refundByHand(rig, sale, { amount: '7.00' });
    await recover(rig);
    await mustBe(rig, refundId, 'made');
    rig.refunds.findings = ['unclaimed-refund'];
  },
  async (rig, begun) => {
    const { sale, refundId } = begun;
    await script(rig, begun, { fault: 'reset', when: 'before', command: 'refund' });
    await sweepImpatiently(rig);
    await refundByHand(rig, sale, { amount: '7.00' });
    await recover(rig);
    await mustBe(rig, refundId, 'not_made');
    rig.refunds.findings = ['unclaimed-refund'];
  },
  async (rig, { sale, refundId }) => {
    // By hand, more than is left besides this one.
    await refundByHand(rig, sale, { amount: '100.00' });
    await recover(rig);
    await mustBe(rig, refundId, 'held');
    rig.refunds.findings = ['unclaimed-refund'];
  },
  async (rig, { refundId }) => {
    await byHand(rig, {
      command: 'cc:credit',
      amount: '50.00',
      orderid: 'a credit of theirs',
      creditcard: { number: '4000100011112224', expiration: '1230', cvc: '123' },
    });
    await recover(rig);
    await mustBe(rig, refundId, 'made');
  },
];

const UNSETTLED: Other[] = [
  async (rig, { sale, refundId }) => {
    await byHand(rig, { command: 'void', trankey: await saleKey(rig, sale) });
    rig.refunds.touched.add(sale.chargeId);
    await recover(rig);
    await mustBe(rig, refundId, 'held');
    rig.refunds.findings = ['voided-by-hand'];
  },
  async (rig, { sale, refundId }) => {
    // A released void can't be undone at the provider.
    await rig.emulator.switch({ releaseRefused: 'captured' });
    await sweepAfterBoth(rig, 1);
    await mustBe(rig, refundId, 'made');
    const taken = await byHand(rig, { command: 'unvoid', trankey: await saleKey(rig, sale) });
    must(taken.result_code === 'A', `the unvoid was answered ${JSON.stringify(taken)}`);
    await undo(rig, { sale, refundId, what: 'void' });
  },
  async (rig, { sale, refundId }) => {
    await byHand(rig, { command: 'adjust', trankey: await saleKey(rig, sale), amount: '90.00' });
    rig.refunds.touched.add(sale.chargeId);
    await recover(rig);
    await mustBe(rig, refundId, 'held');
    rig.refunds.findings = ['another-amount'];
  },
];

/** The provider undid the refund, and so do the books. */
async function undo(rig: RefundRig, { sale, refundId }: Begun): Promise<void> {
  const decided = await decideRefund(rig.portal.deps, {
    intentId: sale.paymentId,
    decision: { event: 'undo', refundId, actor: { id: null, name: 'Ana' } },
  });
  must(decided.result === 'applied', `the undoing was ${decided.result}`);
  const { rows } = await rig.portal.deps.db.query.execute<{ cents: number; balance: number }>(sql`
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
    async (rig, round) => {
      await rig.emulator.switch({ echoesRefundClerk: Math.floor(round.run / EQUALS.length) % 2 === 0 });
      const begun = await begin(rig, 'part');
      await meetEqual(rig, begun, variantOf(round, EQUALS));
    },
  ),
  attack('RF72b', 'a refund that was there before is never taken for ours', 8, async (rig) => {
    const begun = await begin(rig, 'part');
    const { sale, refundId } = begun;
    // A person has seen it and lets this one continue.
    const key = await refundByHand(rig, sale);
    await sweepAfterBoth(rig, 1);
    await mustBe(rig, refundId, 'held');
    const decision = { event: 'keep-asking' as const, refundId, knownKeys: [key] };
    await decideRefund(rig.portal.deps, { intentId: sale.paymentId, decision });
    await script(rig, begun, { fault: 'reset', when: 'before', command: 'refund' });
    await sweepImpatiently(rig);
    await recover(rig);
    await mustBe(rig, refundId, 'not_made');
    rig.refunds.findings = ['unclaimed-refund'];
  }),
  attack(
    'RF73',
    'what else is done by hand: held, undone or reported, and never above the charge',
    30,
    async (rig, round) => {
      const work = variantOf(round, [...OTHERS, ...UNSETTLED]);
      await work(rig, await begin(rig, OTHERS.includes(work) ? 'part' : 'void'));
    },
  ),
  attack('RF74', 'our refund is voided by hand: reported, and undone to the cent', 10, async (rig, round) => {
    const begun = await begin(rig, round.run % 2 === 0 ? 'part' : 'whole');
    await recover(rig);
    await mustBe(rig, begun.refundId, 'made');
    await byHand(rig, { command: 'void', trankey: await keyOf(rig, begun.refundId) });
    const isLeft = round.run % 4 >= 2;
    if (!isLeft) return undo(rig, begun);
    rig.refunds.findings = ['refund-undone-there'];
    rig.refunds.touched.add(begun.sale.chargeId);
  }),
  attack(
    'RF74b',
    'one that was taken back and is live again: bars the next, which adopts it',
    4,
    async (rig) => {
      const begun = await begin(rig, 'part');
      const { sale, refundId } = begun;
      await recover(rig);
      await mustBe(rig, refundId, 'made');
      const key = (await keyOf(rig, refundId)) ?? '';
      await byHand(rig, { command: 'void', trankey: key });
      await undo(rig, begun);
      await byHand(rig, { command: 'unvoid', trankey: key });
      const next = await requestRefund(rig.portal.deps, sale, partsOf('part'));
      await recover(rig);
      must((await rowsThere(rig, sale)).length === 2, 'another one was sent');
      await mustBe(rig, next, 'held');
      await adopt(rig, { ...begun, refundId: next }, key);
    },
  ),
  attack('RF75', 'whatever the clerk of a row says: the same end', 16, async (rig, round) => {
    const clerk = variantOf(round, CLERKS);
    await rig.emulator.switch({ echoesRefundClerk: clerk !== 'dropped' });
    const begun = await begin(rig, 'part');
    const isThere = Math.floor(round.run / CLERKS.length) % 2 === 0;
    await script(rig, begun, { fault: 'reset', when: isThere ? 'after' : 'before', command: 'refund' });
    await sweepImpatiently(rig);
    if (clerk === 'foreign' || clerk === "another row's") {
      const other = clerk === 'foreign' ? 'Maria at the desk' : await otherMark(rig);
      await refundByHand(rig, begun.sale, { clerk: other, amount: isThere ? '20.00' : '50.00' });
    }
    await recover(rig);
    const isOurs = isThere || rig.refunds.byHand.size > 0;
    await mustBe(rig, begun.refundId, isOurs ? 'made' : 'not_made');
    await mustAgree(rig, begun);
    if (isThere && rig.refunds.byHand.size > 0) rig.refunds.findings = ['unclaimed-refund'];
  }),
  attack('RF75b', 'a refund of another order is never taken for ours', 4, async (rig) => {
    const other = await paid(rig);
    const begun = await begin(rig, 'part');
    await script(rig, begun, { fault: 'reset', when: 'before', command: 'refund' });
    await sweepImpatiently(rig);
    await refundByHand(rig, other);
    await recover(rig);
    await mustBe(rig, begun.refundId, 'not_made');
    rig.refunds.findings = ['unclaimed-refund'];
  }),
];

/** The mark of another sale's refund. */
async function otherMark(rig: RefundRig): Promise<string> {
  const sale = await paid(rig);
  await closeBatch(rig);
  const refundId = await requestRefund(rig.portal.deps, sale, WHOLE);
  await sweepAfterBoth(rig, 1);
  must((await stateOf(rig, refundId)) === 'made', 'the other refund was not made');
  const { rows } = await rig.portal.deps.db.query.execute<{ mark: string }>(
    sql`SELECT mark FROM refund WHERE id = ${refundId}`,
  );
  return rows[0]?.mark ?? '';
}
