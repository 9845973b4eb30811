import { decideRefund } from '../../../../../apps/api/src/modules/payments/refunds/decide-refund.ts';
import { planHeldRefund } from '../../../../../apps/api/src/modules/payments/refunds/plan-held-refund.ts';
import {
  endRefundLease,
  leaseReviewedRefund,
} from '../../../../../apps/api/src/modules/payments/refunds/sweep/refund-leases.queries.ts';
import { requestRefund } from '../../../../../apps/api/test/factories/requested-refunds.ts';
import { sweepAfterBoth, variantOf } from '../provider-faults/fault-attack.ts';
import { must } from '../provider-faults/payments.ts';
import {
  attack,
  type Begun,
  begin,
  CASES,
  closeBatch,
  commandOf,
  mustAgree,
  mustBe,
  mustGoAgain,
  PART,
  paid,
  type RefundAttack,
  recover,
  recoverForADay,
  rowsThere,
  saleKey,
  script,
} from './refund-attack.ts';
import type { RefundRig } from './rig.ts';

const WHENS = ['before', 'after'] as const;
const whenOf = (run: number, variants: readonly unknown[]) =>
  WHENS[Math.floor(run / variants.length) % 2] ?? 'before';

/** Stands for the sale's own key in a fault. */
const SALE = 'the sale';
const DUPLICATES = [
  { fault: 'wrong', answer: { is_duplicate: 'Y', key: 'onfwht1w2ftfssf' } },
  { fault: 'duplicate' },
  { fault: 'duplicate-other' },
  { fault: 'wrong', answer: { is_duplicate: 'Y', key: SALE } },
];
const FOLDINGS = ['M', 'F', 'O'] as const;
const WRONG = [
  { fault: 'wrong', answer: { key: SALE } },
  { fault: 'wrong', answer: { key: null } },
  { fault: 'wrong', answer: { auth_amount: '1.00' } },
  { fault: 'wrong-orderid' },
  { fault: 'wrong', answer: { auth_amount: null } },
  { fault: 'wrong', answer: { key: 'onfwht1w2ftfssf' } },
];
const LIES = [
  { fault: 'wrong', when: 'before', answer: { key: 'onfwht1w2ftfssf' }, ends: 'held' },
  { fault: 'wrong', when: 'before', answer: { auth_amount: '50.00', key: 'bnfwht1w2ftfssf' }, ends: 'held' },
  { fault: 'wrong', when: 'after', answer: { result_code: 'D', error: 'Declined (F05)' }, ends: 'refused' },
  { fault: 'wrong', when: 'before', answer: { result_code: 'D', error: 'Declined (F05)' }, ends: 'refused' },
] as const;
const refusalOf = (code: number) => ({
  result_code: 'E',
  error: 'Refused',
  error_code: code,
  errorcode: code,
  key: null,
});
const TOO_LATE = [26, 101, 103, 117] as const;
const REFUSED = [113, 114, 10133, 10134] as const;
/** Cards whose refunds the bank declines: with a key, and listed. */
const DECLINING_CARDS = ['4000400011112228', '4000400111112227'] as const;

async function named(rig: RefundRig, fault: object, sale: Parameters<typeof saleKey>[1]): Promise<object> {
  const key = await saleKey(rig, sale);
  return JSON.parse(JSON.stringify(fault).replaceAll(`"${SALE}"`, JSON.stringify(key)));
}

/** A person says so; returns the refusal, or what it did. */
async function sayNotMade({ portal: { deps } }: RefundRig, { sale, refundId }: Begun): Promise<string> {
  const refund = await leaseReviewedRefund(deps.db.query, { refundId, mayBeMade: false });
  if (!refund || refund === 'leased') return 'busy';
  const planned = await planHeldRefund(deps, refund, { decision: 'not-made' });
  await endRefundLease(deps.db.query, refund);
  if ('code' in planned) return planned.code;
  const decision = { ...planned, refundId, actor: { id: null, name: 'Ana' } };
  return (await decideRefund(deps, { intentId: sale.paymentId, decision })).result;
}

export const answers: RefundAttack[] = [
  attack('RF62', 'a refund that is folded into another is not made', 12, async (rig, round) => {
    const foldingMode = variantOf(round, FOLDINGS);
    await rig.emulator.switch({ foldsRefunds: true, foldingMode });
    const begun = await begin(rig, 'part');
    await sweepAfterBoth(rig, 1);
    const second = await requestRefund(rig.portal.deps, begun.sale, PART);
    await sweepAfterBoth(rig, 1);
    await recover(rig);
    await mustBe(rig, begun.refundId, 'made');
    // The provider folds it into the first, unless it compares all data, where the marks differ.
    const isSecondFolded = foldingMode !== 'F';
    await mustBe(rig, second, isSecondFolded ? 'not_made' : 'made');
    must((await rowsThere(rig, begun.sale)).length === (isSecondFolded ? 2 : 3), 'it refunded otherwise');
  }),
  attack('RF62b', 'an answer to another request: made only with a row of its own', 12, async (rig, round) => {
    const begun = await begin(rig, round.run % 2 === 0 ? 'part' : 'whole');
    const fault = variantOf(round, DUPLICATES);
    const when = whenOf(round.run, DUPLICATES);
    await script(rig, begun, { command: 'refund', when, ...(await named(rig, fault, begun.sale)) });
    await sweepAfterBoth(rig, 1);
    await mustBe(rig, begun.refundId, 'unknown');
    await recover(rig);
    await mustAgree(rig, begun);
  }),
  attack(
    'RF63',
    'an approval that is not quite ours: held, or made as the record says',
    24,
    async (rig, round) => {
      const begun = await begin(rig, round.run % 2 === 0 ? 'part' : 'whole');
      const fault = variantOf(round, WRONG);
      const when = whenOf(round.run, WRONG);
      await script(rig, begun, { command: 'refund', when, ...(await named(rig, fault, begun.sale)) });
      await sweepAfterBoth(rig, 1);
      await recoverForADay(rig);
      const state = await mustBe(rig, begun.refundId, 'made', 'not_made', 'held');
      if (state !== 'held') await mustAgree(rig, begun);
      else if ((await rowsThere(rig, begun.sale)).length === 2) rig.refunds.findings = ['unclaimed-refund'];
    },
  ),
  attack(
    'RF63b',
    'its record shows no order or another: no "not made" ends it, early or late',
    8,
    async (rig, round) => {
      const begun = await begin(rig, 'part');
      const orderid = variantOf(round, ['', 'somebody-elses-order']);
      // A look reads the sale first, then the refund.
      const spoilRecord = () =>
        script(rig, begun, { fault: 'wrong', command: 'get', after: 1, answer: { orderid } });
      await spoilRecord();
      await sweepAfterBoth(rig, 1);
      await spoilRecord();
      await sweepAfterBoth(rig, 10);
      await mustBe(rig, begun.refundId, 'held');
      for (const seconds of [0, 1000]) {
        await sweepAfterBoth(rig, seconds);
        await rig.emulator.script({ fault: 'list-stale', seconds: 3600 });
        await spoilRecord();
        const said = await sayNotMade(rig, begun);
        must(said === 'unclaimed-refund', `"not made" was answered ${said}`);
      }
      await mustBe(rig, begun.refundId, 'held');
      rig.refunds.findings = ['unclaimed-refund'];
    },
  ),
  attack(
    'RF64',
    'an answer that is a lie: never made without a record, and a false no is a finding',
    16,
    async (rig, round) => {
      const begun = await begin(rig, 'part');
      const { ends, ...lie } = variantOf(round, LIES);
      await script(rig, begun, { command: 'refund', ...lie });
      await sweepAfterBoth(rig, 1);
      await recoverForADay(rig);
      await mustBe(rig, begun.refundId, ends);
      if (lie.when === 'after') rig.refunds.findings = ['unclaimed-refund'];
    },
  ),
  attack('RF65', 'refused as unsettled: it waits, and is made once', 10, async (rig, round) => {
    await rig.emulator.switch({ refundUnsettled: round.run % 2 === 0 ? 'refused' : 'approved' });
    const sale = await paid(rig);
    const isAsked = round.run % 4 < 2;
    const refundId = await requestRefund(rig.portal.deps, sale, PART);
    const begun = { sale, refundId, what: 'part' } as const;
    if (isAsked) {
      await closeBatch(rig);
      await script(rig, begun, {
        fault: 'wrong',
        when: 'before',
        command: 'refund',
        answer: refusalOf(115),
      });
    }
    await sweepAfterBoth(rig, 1);
    await mustBe(rig, refundId, 'waiting');
    await closeBatch(rig);
    await recover(rig);
    await mustBe(rig, refundId, 'made');
    await mustAgree(rig, begun);
    await rig.emulator.switch({ refundUnsettled: 'refused' });
  }),
  attack('RF66', 'a void that comes too late: refunded after the settlement', 15, async (rig, round) => {
    const begun = await begin(rig, 'void');
    const code = TOO_LATE[round.run % (TOO_LATE.length + 1)];
    if (code === undefined) {
      await rig.emulator.switch({ releaseRefused: 'captured' });
      await sweepAfterBoth(rig, 1);
      await mustBe(rig, begun.refundId, 'made');
      must((await rowsThere(rig, begun.sale)).join() === 'V 108.25', 'it is not voided');
      return;
    }
    await script(rig, begun, { fault: 'wrong', when: 'before', command: 'void', answer: refusalOf(code) });
    await sweepAfterBoth(rig, 1);
    await mustBe(rig, begun.refundId, 'waiting');
    await closeBatch(rig);
    await recover(rig);
    await mustBe(rig, begun.refundId, 'made');
    must((await rowsThere(rig, begun.sale)).join() === 'C 108.25,L 108.25', 'it is not refunded once');
  }),
  attack(
    'RF67',
    'the provider or the bank says no: nobody hears of money, and the rest is free again',
    18,
    async (rig, round) => {
      const code = REFUSED[round.run % 6];
      const card = DECLINING_CARDS[(round.run % 6) - REFUSED.length];
      const begun = await begin(
        rig,
        round.run % 2 === 0 ? 'whole' : 'part',
        card === undefined ? {} : { card },
      );
      if (code !== undefined)
        await script(rig, begun, {
          fault: 'wrong',
          when: 'before',
          command: 'refund',
          answer: refusalOf(code),
        });
      await sweepAfterBoth(rig, 1);
      await recover(rig);
      await mustBe(rig, begun.refundId, 'refused', 'not_made');
      await mustAgree(rig, begun);
      if (code !== undefined) await mustGoAgain(rig, begun);
    },
  ),
  attack(
    'RF68',
    'refunds are not allowed, or the keys are refused: it waits, alerts, and is made later',
    18,
    async (rig, round) => {
      const what = CASES[Math.floor(round.run / 4) % CASES.length] ?? 'part';
      const begun = await begin(rig, what);
      const [code, status] = [[80, 84][round.run % 4], [401, 403][(round.run % 4) - 2]];
      const fault =
        code === undefined
          ? { fault: 'status', status, when: 'before' }
          : { fault: 'wrong', when: 'before', answer: refusalOf(code) };
      await script(rig, begun, { command: commandOf(what), ...fault });
      await sweepAfterBoth(rig, 1);
      await mustBe(rig, begun.refundId, 'waiting');
      must(
        rig.run.errors.some(({ alert }) => alert !== undefined && /refund|keys/.test(alert)),
        'nobody was alerted',
      );
      await recover(rig);
      await mustBe(rig, begun.refundId, 'made');
      await mustAgree(rig, begun);
    },
  ),
  attack(
    'RF69',
    'too many requests, at each call: the account rests, and nothing is lost',
    10,
    async (rig, round) => {
      const what = CASES[round.run % CASES.length] ?? 'part';
      const begun = await begin(rig, what);
      const command = variantOf(round, ['get', 'list', commandOf(what)]);
      const fault = { fault: 'status', status: 429, when: 'before', command };
      // A listing belongs to no order.
      if (command === 'list') await rig.emulator.script(fault);
      else await script(rig, begun, fault);
      await sweepAfterBoth(rig, 1);
      await mustBe(rig, begun.refundId, 'waiting');
      await recover(rig);
      await mustBe(rig, begun.refundId, 'made');
      await mustAgree(rig, begun);
    },
  ),
];
