import { requestRefund } from '../../../../../apps/api/test/factories/requested-refunds.ts';
import { sweepAfterBoth, variantOf } from '../provider-faults/fault-attack.ts';
import { must } from '../provider-faults/payments.ts';
import { heal } from '../provider-faults/rig.ts';
import {
  attack,
  begin,
  CASES,
  commandOf,
  mustAgree,
  mustBe,
  mustGoAgain,
  PART,
  type RefundAttack,
  recover,
  rowsThere,
  script,
  sweepImpatiently,
} from './refund-attack.ts';

const SILENCES = [
  { fault: 'reset' },
  { fault: 'hang' },
  { fault: 'status', status: 500 },
  { fault: 'truncate' },
  { fault: 'html', status: 502 },
];
/** Answers that nobody can read, or only after too long. */
const UNREADABLE = [
  { fault: 'status', status: 500 },
  { fault: 'status', status: 503 },
  { fault: 'html', status: 200 },
  { fault: 'html', status: 502 },
  { fault: 'truncate' },
  { fault: 'bad-json' },
  { fault: 'empty' },
  { fault: 'null' },
  { fault: 'array' },
  { fault: 'oversized' },
  { fault: 'slow-bytes', seconds: 0.05 },
  { fault: 'slow-headers', seconds: 5 },
  { fault: 'redirect' },
  { fault: 'number-strings' },
  { fault: 'status', status: 504 },
  { fault: 'gzip-bomb' },
];
const WHENS = ['before', 'after'] as const;
/** How late the call takes effect, and how far the sweep has got by then. */
const LATENESS = [30, 120, 600] as const;

export const silence: RefundAttack[] = [
  attack('RF57', 'silence, and nothing was refunded: ruled out, and sent again', 20, async (rig, round) => {
    const begun = await begin(rig, round.run % 2 === 0 ? 'part' : 'whole');
    const fault = variantOf(round, SILENCES);
    await script(rig, begun, { command: 'refund', when: 'before', ...fault });
    await sweepImpatiently(rig);
    await mustBe(rig, begun.refundId, 'unknown');
    await recover(rig);
    await mustBe(rig, begun.refundId, 'not_made');
    await mustAgree(rig, begun);
    await mustGoAgain(rig, begun);
  }),
  attack('RF58', 'silence, and it was refunded: found, made once, with one mail', 40, async (rig, round) => {
    await rig.emulator.switch({ echoesRefundClerk: round.run % 2 === 0 });
    const begun = await begin(rig, round.run % 4 < 2 ? 'part' : 'whole');
    const fault = variantOf(round, SILENCES);
    await script(rig, begun, { command: 'refund', when: 'after', ...fault });
    await sweepImpatiently(rig);
    await mustBe(rig, begun.refundId, 'unknown');
    await recover(rig);
    await mustBe(rig, begun.refundId, 'made');
    await mustAgree(rig, begun);
  }),
  attack('RF59', 'silence to a void, with an effect or without: voided once', 20, async (rig, round) => {
    const begun = await begin(rig, 'void');
    const fault = variantOf(round, SILENCES);
    await script(rig, begun, { command: 'void', when: WHENS[round.run % 2], ...fault });
    await sweepImpatiently(rig);
    await recover(rig);
    await mustBe(rig, begun.refundId, 'made');
    must((await rowsThere(rig, begun.sale)).join() === 'V 108.25', 'it is not voided once');
  }),
  attack('RF60', 'answers that nobody can read: as if there were none', 64, async (rig, round) => {
    const fault = variantOf(round, UNREADABLE);
    const turn = Math.floor(round.run / UNREADABLE.length);
    const what = CASES[turn % CASES.length] ?? 'part';
    const begun = await begin(rig, what);
    // In the last quarter of the runs, the sale's own record is unreadable.
    const command = turn === CASES.length ? 'get' : commandOf(what);
    await script(rig, begun, { command, when: WHENS[round.run % 2], ...fault });
    await sweepImpatiently(rig);
    await recover(rig);
    await mustAgree(rig, begun);
  }),
  attack(
    'RF61',
    'an effect that is late: made, or a finding, and nothing is sent by itself',
    24,
    async (rig, round) => {
      const begun = await begin(rig, 'part');
      const { sale, refundId } = begun;
      await script(rig, begun, { fault: 'late', command: 'refund', seconds: 86_400 });
      await sweepImpatiently(rig);
      await heal(rig);
      const seconds = variantOf(round, LATENESS);
      const isProved = Math.floor(round.run / LATENESS.length) % 2 === 1;
      await sweepAfterBoth(rig, seconds);
      if (isProved) {
        await recover(rig);
        await mustBe(rig, refundId, 'not_made');
      }
      // In every other run somebody has sent it again by then.
      const isAgain = isProved && round.run % 2 === 1;
      if (isAgain) await mustGoAgain(rig, begun);
      await rig.emulator.finishLateWork();
      await recover(rig);
      if (!isProved) {
        await mustBe(rig, refundId, 'made');
        await mustAgree(rig, begun);
        return;
      }
      rig.refunds.mayBeHidden = true;
      rig.refunds.findings = [isAgain ? 'refunded-twice' : 'late-refund'];
      await mustBe(rig, refundId, 'not_made');
      if (isAgain) return;
      // The rest of the charge waits for a person, too.
      const other = await requestRefund(rig.portal.deps, sale, {
        ...PART,
        invoiceCents: 10_00,
        taxCents: 0,
      });
      await recover(rig);
      await mustBe(rig, other, 'held');
      must((await rowsThere(rig, sale)).length === 2, 'something was sent beside it');
    },
  ),
];
