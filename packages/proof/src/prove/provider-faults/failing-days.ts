import { listReview } from '../../../../../apps/api/src/modules/payments/review/list-review.ts';
import { reviewCharge } from '../../../../../apps/api/src/modules/payments/review/review-charge.ts';
import { chargesOf } from '../../../../../apps/api/test/books/compare-ledgers.ts';
import { advanceEngineClock } from '../../../../../apps/api/test/books/engine-clock.ts';
import { sweep } from '../../../../../apps/api/test/books/sweep.ts';
import { OFFICE_KEY_ID } from '../../../../../apps/api/test/office/office.ts';
import type { Round } from '../attack.ts';
import {
  attack,
  type FaultAttack,
  failToAuthorize,
  kindOf,
  LOOK_UP_SECONDS,
  pay,
  sweepAfter,
  variantOf,
} from './fault-attack.ts';
import { must, payAgain } from './payments.ts';
import { resolve } from './resolve.ts';
import { type FaultRig, heal } from './rig.ts';

const HOUR_SECONDS = 60 * 60;
/** A silent account backs off between two attempts; after this, each of its charges gets its own. */
const LONGEST_REST_SECONDS = 61;
const MOST_UNFINISHED = 6;
const DAY_IN_STEPS = [
  ...[LOOK_UP_SECONDS, HOUR_SECONDS, 11 * HOUR_SECONDS, 13 * HOUR_SECONDS, HOUR_SECONDS],
  ...Array.from({ length: MOST_UNFINISHED }, () => LONGEST_REST_SECONDS),
];
const FAILURES = [
  { fault: 'status', status: 500 },
  { fault: 'reset', when: 'after' },
  { fault: 'html', status: 503 },
  { fault: 'status', status: 401 },
  { fault: 'empty' },
];

/**
 * A provider that fails for more than a day. A person gets to see everything unfinished; accepted charges are captured
 * once the provider is back, and holds that nobody found are released by that person.
 */
async function failingDay(rig: FaultRig, round: Round): Promise<void> {
  const { deps } = rig.portal;
  const kind = kindOf(round);
  await pay(rig, kind);
  await payAgain(rig, await failToAuthorize(rig, round, { fault: 'reset', when: 'after' }, kind));
  await rig.emulator.script({ ...variantOf(round, FAILURES), command: '*', times: 100_000 });
  for (const seconds of DAY_IN_STEPS) await sweepAfter(rig, seconds);
  const inReview = new Set((await listReview(deps, { actorId: OFFICE_KEY_ID })).map((each) => each.chargeId));
  const unfinished = await unfinishedCharges(rig);
  const forgotten = unfinished.filter(({ id }) => !inReview.has(id));
  must(forgotten.length === 0, `not in review: ${forgotten.map(({ state }) => state)}`);
  must(
    unfinished.some(({ state }) => state === 'unresolved'),
    'nothing is for a person to decide',
  );

  await heal(rig);
  // A person's decision has to wait for the account's back-off too.
  await advanceEngineClock(deps, LONGEST_REST_SECONDS);
  for (const { id, state } of unfinished) {
    if (state !== 'unresolved') continue;
    const reviewed = await reviewCharge(deps, {
      chargeId: id,
      decision: 'release',
      actor: { id: null, name: 'a person' },
    });
    must(reviewed.ok, `not released: ${JSON.stringify(reviewed)}`);
  }
  await sweep(deps);
  await resolve(rig, round, { waitingSeconds: HOUR_SECONDS + 1 });
}

async function unfinishedCharges({ portal, run }: FaultRig) {
  const over = ['captured', 'capture_failed', 'refused', 'released', 'absent'];
  return (await chargesOf(portal.deps)).filter(
    ({ id, state }) => !run.before.has(id) && !over.includes(state),
  );
}

export const failingDays: FaultAttack[] = [
  attack(
    'F05 day',
    'a provider that fails for a day: all of it comes before a person, and nothing is lost',
    10,
    failingDay,
  ),
];
