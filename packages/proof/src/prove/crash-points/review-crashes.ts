import type { CrashPointOf } from '../../../../../apps/api/src/crash-points.ts';
import { advanceEngineClock } from '../../../../../apps/api/test/books/engine-clock.ts';
import { sweepUntilDone } from '../../../../../apps/api/test/books/sweep.ts';
import { TEST_SECRETS } from '../../../../../apps/api/test/build-test-app.ts';
import { chargeState } from '../../../../../apps/api/test/factories/payments/charges.ts';
import {
  leaveUncaptured,
  leaveUnresolved,
} from '../../../../../apps/api/test/factories/payments/reviewed-charges.ts';
import { callOffice } from '../../../../../apps/api/test/office/office.ts';
import type { Attack } from '../attack.ts';
import { mustBe, newPayment, payAnew, press } from './pay.ts';
import { beginRun, type CrashRig } from './rig.ts';

const POINTS: { point: CrashPointOf<'office'>; isDecided: boolean }[] = [
  { point: '59-review-leased', isDecided: false },
  { point: '60-review-planned', isDecided: false },
  { point: '61-review-decided', isDecided: true },
  { point: '62-after-review', isDecided: true },
];

type Pay = () => Promise<unknown>;

const DECISIONS = {
  release: {
    leave: ({ portal, emulator }: CrashRig, pay: Pay) =>
      leaveUnresolved(portal, { emulator, pay, isHeld: true }),
    heard: 'not charged',
    end: 'released',
  },
  close: {
    leave: ({ portal, emulator }: CrashRig, pay: Pay) =>
      leaveUnresolved(portal, { emulator, pay, isHeld: false }),
    heard: 'not charged',
    end: 'absent',
  },
  reverse: {
    leave: ({ portal, emulator }: CrashRig, pay: Pay) => leaveUncaptured(portal, { emulator, pay }),
    heard: 'paid',
    end: 'capture_failed',
  },
} as const;

type Decision = keyof typeof DECISIONS;

/** A person's decision on a charge, in a process that is killed half way. A payment's charges are decided one by one. */
export const reviewCrashes: Attack<CrashRig>[] = POINTS.flatMap(({ point, isDecided }) =>
  (Object.keys(DECISIONS) as Decision[]).map((decision) => ({
    id: `CP${point.slice(0, 2)} ${decision}`,
    name: `a review dies ${point.slice(3).replaceAll('-', ' ')}, decides once, and captures nothing`,
    runs: 2,
    async run(rig, { run }) {
      await beginRun(rig);
      const { portal, processes, emulator } = rig;
      const { leave, heard, end } = DECISIONS[decision];
      const payment = await newPayment(rig, run % 2 === 0 ? 'guest' : 'portal');
      const pay = async () => mustBe(await press(rig, payment), heard);
      const chargeId = await leave(rig, pay);
      const path = `/office/review/${chargeId}/${decision}`;
      const crashing = await processes.crashAt(point);
      await crashing.post(path, undefined, { token: TEST_SECRETS.officeApiKey });
      await crashing.killed();

      await advanceEngineClock(portal.deps, 61);
      if (!isDecided) {
        const again = await callOffice(portal, 'POST', path.replace('/office', ''));
        if (again.statusCode !== 200) throw new Error(`the repeat was answered ${again.body}`);
      }
      await sweepUntilDone(portal.deps);
      const state = await chargeState(portal.deps, chargeId);
      if (state !== end) throw new Error(`the charge ended as ${state}`);
      await emulator.clearFaults();
      await payAnew(rig, payment);
    },
  })),
);
