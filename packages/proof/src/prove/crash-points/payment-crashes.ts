import type { CrashPoint } from '../../../../../apps/api/src/crash-points.ts';
import { compareBooks } from '../../../../../apps/api/src/modules/payments/books/compare-books.ts';
import { chargesOf } from '../../../../../apps/api/test/books/compare-ledgers.ts';
import { advanceEngineClock } from '../../../../../apps/api/test/books/engine-clock.ts';
import { sweepUntilDone } from '../../../../../apps/api/test/books/sweep.ts';
import type { Attack, Round } from '../attack.ts';
import { KINDS, type Kind } from '../provider-faults/payments.ts';
import { mustBe, newPayment, type Payment, payAnew, press } from './pay.ts';
import {
  COMPARISON_CASES,
  isPassedAfter,
  PAYMENT_CASES,
  type PaymentCase,
  RECOVERY_CASES,
  SECOND_POINTS,
  type SecondPoint,
} from './payment-cases.ts';
import { beginRun, type CrashRig } from './rig.ts';

type CrashAttack = Attack<CrashRig>;

const idOf = (point: CrashPoint) => `CP${point.slice(0, 2)}`;
const wordsOf = (point: CrashPoint) => point.slice(3).replaceAll('-', ' ');

/** Crashes at every point that a payment passes in the process that answers it. */
export const paymentCrashes: CrashAttack[] = PAYMENT_CASES.flatMap((each) =>
  each.kinds.map((kind) => ({
    id: `${idOf(each.point)} ${kind}`,
    name: `a payment dies ${wordsOf(each.point)}, and is paid once in all`,
    runs: Math.max(passesOf(each, kind), each.end === 'abandoned' ? 2 : 1),
    async run(rig, round) {
      const payment = await dieAt(rig, each, { kind, pass: 1 + (round.run % passesOf(each, kind)) });
      await end(rig, payment, each, round);
    },
  })),
);

/** The same crashes, followed by a second one during the recovery. */
export const doubleCrashes: CrashAttack[] = PAYMENT_CASES.flatMap((each) =>
  each.kinds.flatMap((kind) =>
    SECOND_POINTS.flatMap((second) => {
      const passes = passesBefore(second, each, kind);
      if (passes.length === 0) return [];
      return {
        id: `${idOf(each.point)} ${kind} + ${idOf(second)}`,
        name: `a payment dies ${wordsOf(each.point)}, its recovery ${wordsOf(second)}, and it is paid once in all`,
        runs: 1,
        async run(rig, round) {
          const payment = await dieAt(rig, each, { kind, pass: round.random.pick(passes) });
          await mustDieRecovering(rig, second);
          await end(rig, payment, each, { ...round, run: 0 });
        },
      } satisfies CrashAttack;
    }),
  ),
);

/** Crashes during the recovery of a payment whose answer was lost. */
export const recoveryCrashes: CrashAttack[] = RECOVERY_CASES.flatMap(({ point, isHeld }) =>
  KINDS.map((kind) => ({
    id: `${idOf(point)} ${kind}`,
    name: `a recovery dies ${wordsOf(point)}, and the next ends it the same way`,
    runs: 2,
    async run(rig, { run }) {
      await beginRun(rig);
      const payment = await loseAnswer(rig, { kind, isHeld, after: kind === 'three' ? run : 0 });
      await mustDieRecovering(rig, point);
      await sweepUntilDone(rig.portal.deps);
      mustBe(await press(rig, payment), 'not charged');
      await payAnew(rig, payment);
    },
  })),
);

/** Crashes during the nightly comparison. */
export const comparisonCrashes: CrashAttack[] = COMPARISON_CASES.flatMap(({ point, isLate }) =>
  KINDS.map((kind) => ({
    id: `${idOf(point)} ${kind}`,
    name: `a comparison dies ${wordsOf(point)}, and the next one does no more than is left to do`,
    runs: 1,
    async run(rig) {
      await beginRun(rig);
      const payment = isLate ? await holdLate(rig, kind) : await newPayment(rig, kind);
      if (!isLate) mustBe(await press(rig, payment), 'paid');
      await mustDieRecovering(rig, point);
      await advanceEngineClock(rig.portal.deps, 61);
      await mustFindNoDifference(rig, { except: isLate ? ['late-hold-released'] : [] });
      await mustFindNoDifference(rig);
      if (isLate) await payAnew(rig, payment);
    },
  })),
);

function passesOf({ passes }: PaymentCase, kind: Kind): number {
  return kind === 'three' ? passes : 1;
}

/** The passes of the first point after which the recovery reaches the second. */
function passesBefore(second: SecondPoint, each: PaymentCase, kind: Kind): number[] {
  const all = Array.from({ length: passesOf(each, kind) }, (_, index) => index + 1);
  return all.filter((pass) => isPassedAfter(second, each, { kind, pass }));
}

/** Pays in a process that kills itself. */
async function dieAt(
  rig: CrashRig,
  { point, end, refused, mailRefused }: PaymentCase,
  { kind, pass }: { kind: Kind; pass: number },
): Promise<Payment> {
  await beginRun(rig);
  const payment = await newPayment(rig, kind);
  const crashing = await rig.processes.crashAt(point, pass);
  if (refused) {
    const { fault, after } = refused;
    await rig.emulator.script({ fault, command: 'authonly', after });
  }
  if (mailRefused) rig.mailServer.refuseNext(1, 450);
  const first = await press(rig, payment, { at: crashing });
  if (end !== 'accepted' && first.answer) throw new Error(`it answered ${JSON.stringify(first.answer)}`);
  await crashing.killed();
  await rig.emulator.clearFaults();
  rig.mailServer.refuseNext(0, 0);
  return payment;
}

async function mustDieRecovering(rig: CrashRig, point: CrashPoint): Promise<void> {
  if (!(await rig.processes.recoverUntil(point))) throw new Error(`the recovery did not come to ${point}`);
}

/** Presses again, as a payer without an answer does, until it is paid. */
async function end(
  rig: CrashRig,
  payment: Payment,
  { end }: PaymentCase,
  { run }: Pick<Round, 'run'>,
): Promise<void> {
  const { deps } = rig.portal;
  if (end === 'nothing') {
    mustBe(await press(rig, payment), 'paid');
    return;
  }
  if (end === 'accepted') {
    const again = await press(rig, payment);
    mustBe(again, 'paid');
    if (!again.answer?.replayed) throw new Error('it was paid, and the same key paid again');
    mustBe(await press(rig, payment, { key: `${payment.key}-other` }), 'already paid');
    return;
  }
  // In every other run nobody sweeps before the payer returns: the claims block them until the deadline.
  const isSwept = run % 2 === 0;
  if (isSwept) await sweepUntilDone(deps);
  else await advanceEngineClock(deps, PAST_DEADLINE_SECONDS);
  mustBe(await press(rig, payment), 'not charged');
  await payAnew(rig, payment);
}

const PAST_DEADLINE_SECONDS = 66;

/** A payment whose hold, made or not, is never answered; its payer is told "not charged". */
async function loseAnswer(
  rig: CrashRig,
  { kind, isHeld, after }: { kind: Kind; isHeld: boolean; after: number },
): Promise<Payment> {
  const payment = await newPayment(rig, kind);
  await rig.emulator.script({
    fault: 'reset',
    when: isHeld ? 'after' : 'before',
    command: 'authonly',
    after,
  });
  mustBe(await press(rig, payment), 'not charged');
  return payment;
}

/** A hold that appears at the provider long after its charge ended without one. */
async function holdLate(rig: CrashRig, kind: Kind): Promise<Payment> {
  const { portal, emulator, run } = rig;
  const payment = await loseAnswer(rig, { kind, isHeld: false, after: 0 });
  await sweepUntilDone(portal.deps);
  const absent = (await chargesOf(portal.deps)).find(
    ({ id, state }) => !run.before.has(id) && state === 'absent',
  );
  if (!absent) throw new Error('no charge has ended without a hold');
  await emulator.callAs('portal', 'POST', '/transactions', {
    command: 'authonly',
    amount: absent.amount,
    orderid: absent.orderId,
    creditcard: { number: '4000100011112224', expiration: '1230', cvc: '123' },
  });
  return payment;
}

async function mustFindNoDifference(
  { portal, run }: CrashRig,
  { except = [] }: { except?: string[] } = {},
): Promise<void> {
  const charges = (await chargesOf(portal.deps)).filter(({ id }) => !run.before.has(id));
  const ours = new Set(charges.map(({ orderId }) => orderId));
  const { differences } = await compareBooks(portal.deps);
  const found = differences.filter(({ orderId, kind }) => ours.has(orderId) && !except.includes(kind));
  if (found.length > 0) throw new Error(`the comparison found ${JSON.stringify(found)}`);
}
