import { requestRefund } from '../../../../../apps/api/test/factories/requested-refunds.ts';
import { sweepAfterBoth, variantOf } from '../provider-faults/fault-attack.ts';
import { must } from '../provider-faults/payments.ts';
import {
  attack,
  begin,
  CASES,
  closeBatch,
  mustAgree,
  mustBe,
  PART,
  paid,
  type RefundAttack,
  recover,
  rowsThere,
  script,
  sweepImpatiently,
  WHOLE,
} from './refund-attack.ts';

/** The sweep's call before which the batch closes. */
const STEPS = [
  { name: 'get', after: 0 },
  { name: 'list', after: 0 },
  { name: 'void', after: 0 },
  { name: 'get', after: 1 },
  { name: 'get', after: 2 },
] as const;
/** The batch closes at once, or stays in `closing`, shown as such or not. */
const CLOSINGS = [
  { batchCloseSeconds: 0, showsSubmitted: false },
  { batchCloseSeconds: 600, showsSubmitted: false },
  { batchCloseSeconds: 600, showsSubmitted: true },
] as const;

const LISTS = [
  { fault: 'list-shift' },
  { fault: 'list-missing' },
  { fault: 'list-empty-page' },
  { fault: 'list-lag', seconds: 60 },
  { fault: 'list-stale', seconds: 60 },
  { fault: 'list-duplicates' },
  { fault: 'list-unordered' },
];

export const lists: RefundAttack[] = [
  attack('RF70', 'the batch closes between any two steps: one void or one refund', 25, async (rig, round) => {
    await rig.emulator.switch(CLOSINGS[Math.floor(round.run / STEPS.length) % CLOSINGS.length] ?? {});
    const sale = await paid(rig);
    const refundId = await requestRefund(rig.portal.deps, sale, WHOLE);
    const step = variantOf(round, STEPS);
    rig.proxy.plan({ ...step, before: async () => void (await closeBatch(rig)) });
    await sweepAfterBoth(rig, 1);
    await closeBatch(rig);
    await recover(rig);
    await mustBe(rig, refundId, 'made');
    await mustAgree(rig, { sale, refundId, what: 'whole' });
  }),
  attack('RF71', 'lists that mislead: nothing is ruled out or adopted wrongly', 40, async (rig, round) => {
    const fault = variantOf(round, LISTS);
    const turn = Math.floor(round.run / LISTS.length);
    // On the first look, and on the search after a lost answer, both for a refund that exists and for one that doesn't.
    const isLost = turn % 3 > 0;
    const begun = await begin(rig, turn % 2 === 0 ? 'part' : 'whole');
    if (isLost) {
      await script(rig, begun, {
        fault: 'reset',
        command: 'refund',
        when: turn % 3 === 1 ? 'after' : 'before',
      });
      await sweepImpatiently(rig);
      await mustBe(rig, begun.refundId, 'unknown');
      const wait = round.run % 2 === 0 ? 10 : 1000;
      await rig.emulator.script({ ...fault, orderId: begun.sale.orderId });
      await sweepAfterBoth(rig, wait);
    } else {
      await rig.emulator.script({ ...fault, orderId: begun.sale.orderId });
      await sweepAfterBoth(rig, 1);
    }
    await recover(rig);
    await mustBe(rig, begun.refundId, isLost && turn % 3 === 2 ? 'not_made' : 'made');
    await mustAgree(rig, begun);
  }),
];

export const oneOfEach: RefundAttack[] = [
  attack('RF70c', 'a batch on its way: nothing is sent until it has settled', 3, async (rig) => {
    const sale = await paid(rig);
    const refundId = await requestRefund(rig.portal.deps, sale, PART);
    await rig.emulator.switch({ batchCloseSeconds: 600, showsSubmitted: true });
    await closeBatch(rig);
    await sweepAfterBoth(rig, 1);
    await mustBe(rig, refundId, 'waiting');
    must(!rig.proxy.calls.some(({ name }) => name === 'refund'), 'it was sent');
    await recover(rig);
    await mustBe(rig, refundId, 'made');
  }),
  attack('RF71b', 'one list that hides it proves nothing', 4, async (rig, round) => {
    const begun = await begin(rig, round.run % 2 === 0 ? 'part' : 'whole');
    await script(rig, begun, { fault: 'reset', command: 'refund', when: 'after' });
    await sweepImpatiently(rig);
    // Shows the list of an hour ago, total included, and the present one when asked again.
    await rig.emulator.script({ fault: 'list-stale', seconds: 3600 });
    await sweepAfterBoth(rig, 1000);
    await recover(rig);
    await mustBe(rig, begun.refundId, 'made');
    await mustAgree(rig, begun);
  }),
  attack('RF70b', 'a part never tries a void: it waits until the settlement shows', 3, async (rig, round) => {
    const what = CASES[0];
    const sale = await paid(rig);
    const refundId = await requestRefund(rig.portal.deps, sale, PART);
    await rig.emulator.switch(CLOSINGS[round.run % CLOSINGS.length] ?? {});
    await sweepAfterBoth(rig, 1);
    must(!rig.proxy.calls.some(({ name }) => name === 'void' || name === 'refund'), 'something was sent');
    await closeBatch(rig);
    await recover(rig);
    await mustBe(rig, refundId, 'made');
    await mustAgree(rig, { sale, refundId, what });
    must((await rowsThere(rig, sale)).length === 2, 'there is more than one refund');
  }),
];
