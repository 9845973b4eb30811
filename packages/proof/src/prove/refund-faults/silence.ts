import { requestRefund } from '../../../../../apps/api/test/factories/requested-refunds.ts';
import { heal } from '../provider-faults/bench.ts';
import { must } from '../provider-faults/payments.ts';
import { sweepAfterBoth, variantOf } from '../provider-faults/rig.ts';
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
} from './rig.ts';

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
  attack('RF57', 'silence, and nothing was refunded: ruled out, and sent again', 20, async (bench, round) => {
    const begun = await begin(bench, round.run % 2 === 0 ? 'part' : 'whole');
    const fault = variantOf(round, SILENCES);
    await script(bench, begun, { command: 'refund', when: 'before', ...fault });
    await sweepImpatiently(bench);
    await mustBe(bench, begun.refundId, 'unknown');
    await recover(bench);
    await mustBe(bench, begun.refundId, 'not_made');
    await mustAgree(bench, begun);
    await mustGoAgain(bench, begun);
  }),
  attack(
    'RF58',
    'silence, and it was refunded: found, made once, with one mail',
    40,
    async (bench, round) => {
      await bench.emulator.switch({ echoesRefundClerk: round.run % 2 === 0 });
      const begun = await begin(bench, round.run % 4 < 2 ? 'part' : 'whole');
      const fault = variantOf(round, SILENCES);
      await script(bench, begun, { command: 'refund', when: 'after', ...fault });
      await sweepImpatiently(bench);
      await mustBe(bench, begun.refundId, 'unknown');
      await recover(bench);
      await mustBe(bench, begun.refundId, 'made');
      await mustAgree(bench, begun);
    },
  ),
  attack('RF59', 'silence to a void, with an effect or without: voided once', 20, async (bench, round) => {
    const begun = await begin(bench, 'void');
    const fault = variantOf(round, SILENCES);
    await script(bench, begun, { command: 'void', when: WHENS[round.run % 2], ...fault });
    await sweepImpatiently(bench);
    await recover(bench);
    await mustBe(bench, begun.refundId, 'made');
    must((await rowsThere(bench, begun.sale)).join() === 'V 108.25', 'it is not voided once');
  }),
  attack('RF60', 'answers that nobody can read: as if there were none', 64, async (bench, round) => {
    const fault = variantOf(round, UNREADABLE);
    const turn = Math.floor(round.run / UNREADABLE.length);
    const what = CASES[turn % CASES.length] ?? 'part';
    const begun = await begin(bench, what);
    // In the last quarter of the runs, the sale's own record is unreadable.
    const command = turn === CASES.length ? 'get' : commandOf(what);
    await script(bench, begun, { command, when: WHENS[round.run % 2], ...fault });
    await sweepImpatiently(bench);
    await recover(bench);
    await mustAgree(bench, begun);
  }),
  attack(
    'RF61',
    'an effect that is late: made, or a finding, and nothing is sent by itself',
    24,
    async (bench, round) => {
      const begun = await begin(bench, 'part');
      const { sale, refundId } = begun;
      await script(bench, begun, { fault: 'late', command: 'refund', seconds: 86_400 });
      await sweepImpatiently(bench);
      await heal(bench);
      const seconds = variantOf(round, LATENESS);
      const isProved = Math.floor(round.run / LATENESS.length) % 2 === 1;
      await sweepAfterBoth(bench, seconds);
      if (isProved) {
        await recover(bench);
        await mustBe(bench, refundId, 'not_made');
      }
      // In every other run somebody has sent it again by then.
      const isAgain = isProved && round.run % 2 === 1;
      if (isAgain) await mustGoAgain(bench, begun);
      await bench.emulator.finishLateWork();
      await recover(bench);
      if (!isProved) {
        await mustBe(bench, refundId, 'made');
        await mustAgree(bench, begun);
        return;
      }
      bench.refunds.mayBeHidden = true;
      bench.refunds.findings = [isAgain ? 'refunded-twice' : 'late-refund'];
      await mustBe(bench, refundId, 'not_made');
      if (isAgain) return;
      // The rest of the charge waits for a person, too.
      const other = await requestRefund(bench.portal.deps, sale, {
        ...PART,
        invoiceCents: 10_00,
        taxCents: 0,
      });
      await recover(bench);
      await mustBe(bench, other, 'held');
      must((await rowsThere(bench, sale)).length === 2, 'something was sent beside it');
    },
  ),
];
