import { sql } from 'drizzle-orm';
import { compareBooks } from '../../../../../apps/api/src/modules/payments/books/compare-books.ts';
import { decide } from '../../../../../apps/api/src/modules/payments/engine/decide.ts';
import { advanceEngineClock } from '../../../../../apps/api/test/books/engine-clock.ts';
import { APPROVED_CARD } from '../../../../../apps/api/test/emulator.ts';
import type { Round } from '../attack.ts';
import {
  attack,
  type Fault,
  type FaultAttack,
  failToAuthorize,
  kindOf,
  LOOK_UP_SECONDS,
  pay,
  placeIn,
  sweepAfter,
  sweepAfterBoth,
  sweepImpatiently,
  variantOf,
} from './fault-attack.ts';
import type { ProviderCall } from './network/provider-proxy.ts';
import { KINDS, must, mustHear, newPayment, type Payment, payAgain, press } from './payments.ts';
import { resolve } from './resolve.ts';
import { type FaultRig, heal, IMPATIENT } from './rig.ts';

/** The longest back-off after many look-ups in vain. */
const HOUR_SECONDS = 61 * 60;
const PROOF_SECONDS = [LOOK_UP_SECONDS, 16 * 60, 61, 61];
const LOST = { fault: 'reset', when: 'after' };

type LostCharge = { chargeId: string; intentId: string; orderId: string; state: string };

/** This run's charge whose answer was lost. */
async function lostCharge({ portal, run }: FaultRig): Promise<LostCharge> {
  const { rows } = await portal.deps.db.query.execute<LostCharge>(sql`
    SELECT id AS "chargeId", intent_id AS "intentId", order_id AS "orderId", state FROM charge
     WHERE id <> ALL(${sql.param([...run.before])}::uuid[]) AND state IN ('abandoned', 'absent', 'released', 'releasing')
     ORDER BY transaction_key IS NOT NULL, created_at LIMIT 1`);
  const [row] = rows;
  if (!row) throw new Error('no charge was lost');
  return row;
}

/** How the list misleads: about the charge's own row, on its second page, or truthfully, because it grows meanwhile. */
type Misleading = Fault & { isOwn?: boolean; pages?: boolean; grows?: boolean };
const MISLEADINGS: Misleading[] = [
  { fault: 'list-shift', pages: true },
  { fault: 'list-missing' },
  { fault: 'list-missing', isOwn: true },
  { fault: 'list-empty-page' },
  { fault: 'list-lag', seconds: 600 },
  { fault: 'list-stale', seconds: 600 },
  { fault: 'list-duplicates' },
  { fault: 'list-unordered' },
  { fault: 'none', pages: true, grows: true },
  { fault: 'status', status: 500, command: 'list' },
];

async function misleadingLists(rig: FaultRig, round: Round): Promise<void> {
  const { isOwn, pages, grows, ...fault } = variantOf<Misleading>(round, MISLEADINGS);
  // Gives the list something to get wrong.
  await payAgain(rig, await newPayment(rig, 'three'));
  const payment = await failToAuthorize(rig, round, LOST, kindOf(round, MISLEADINGS));
  const { chargeId, orderId } = await lostCharge(rig);
  const row = (await rig.emulator.ledger()).find((each) => each.orderid === orderId);
  if (!row) throw new Error('no hold was made');
  if (pages) await sellByHand(rig, row.merchant, 120);
  if (fault.fault !== 'none')
    await rig.emulator.script({ ...fault, times: 100, ...(isOwn === true && { orderId }) });
  for (const seconds of PROOF_SECONDS) {
    if (grows) growBetweenPages(rig, row.merchant);
    await sweepAfterBoth(rig, seconds);
    const state = await stateOf(rig, chargeId);
    must(state !== 'absent', 'a hold that is there was called absent');
  }
  await payAgain(rig, payment);
  await resolve(rig, round, { waitingSeconds: HOUR_SECONDS });
}

async function stateOf({ portal }: FaultRig, chargeId: string): Promise<string | undefined> {
  const { rows } = await portal.deps.db.query.execute<{ state: string }>(sql`
    SELECT state FROM charge WHERE id = ${chargeId}`);
  return rows[0]?.state;
}

/** Other sales of the merchant. */
async function sellByHand({ emulator }: FaultRig, merchant: string, count: number): Promise<void> {
  const creditcard = { number: APPROVED_CARD, expiration: '1230', cvc: '123' };
  const sale = { command: 'sale', amount: '1.00', creditcard };
  await Promise.all(
    Array.from({ length: count }, () => emulator.callAs(merchant, 'POST', '/transactions', sale)),
  );
}

/** Makes sales while the list is being read, so that each further page begins with rows already seen. */
function growBetweenPages(rig: FaultRig, merchant: string): void {
  rig.proxy.plan({
    name: 'list',
    before: async ({ offset }) => {
      growBetweenPages(rig, merchant);
      if (offset > 0) await sellByHand(rig, merchant, 8);
    },
  });
}

const LATENESS = ['hold', 'hold after all looks', 'hold hidden', 'capture', 'release', 'answer'] as const;

/** Calls that take effect after the portal stopped waiting for them. */
async function lateAnswers(rig: FaultRig, round: Round): Promise<void> {
  const { emulator, portal, proxy } = rig;
  const lateness = variantOf(round, LATENESS);
  const late = { fault: 'late', seconds: 100_000 };
  const seconds = 30 + round.random.integer(271);
  const kind = kindOf(round, LATENESS);
  switch (lateness) {
    case 'hold':
    case 'hold after all looks': {
      await payAgain(rig, await failToAuthorize(rig, round, late, kind));
      const waits = lateness === 'hold' ? [LOOK_UP_SECONDS, seconds] : PROOF_SECONDS;
      for (const wait of waits) await sweepAfter(rig, wait);
      await emulator.finishLateWork();
      break;
    }
    case 'hold hidden':
      await payAgain(rig, await failToAuthorize(rig, round, LOST, kind));
      await emulator.script({ fault: 'list-stale', seconds: 3 * HOUR_SECONDS, times: 100 });
      for (const wait of PROOF_SECONDS) await sweepAfterBoth(rig, wait);
      break;
    case 'capture':
    case 'release': {
      const command = lateness === 'capture' ? 'capture' : 'void';
      const payment =
        lateness === 'capture'
          ? await pay(rig, kind)
          : await failToAuthorize(rig, round, { fault: 'verify' }, kind);
      await emulator.script({ ...late, command, after: placeIn(round, payment) });
      await sweepImpatiently(rig);
      await sweepAfter(rig, seconds);
      await emulator.finishLateWork();
      break;
    }
    case 'answer': {
      const payment = await newPayment(rig, kind);
      const answered = () => advanceEngineClock(portal.deps, seconds + 45);
      proxy.plan({ name: 'authonly', after: placeIn(round, payment), answered });
      mustHear(await press(rig, payment), 'not charged');
      await payAgain(rig, payment);
    }
  }
  await resolve(rig, round);
  // What appears after all look-ups is left to the nightly comparison to release.
  if (lateness === 'hold after all looks' || lateness === 'hold hidden') {
    const { differences } = await compareBooks(portal.deps);
    const released = differences.filter(({ kind }) => kind === 'late-hold-released').length;
    must(released === 1, `the comparison has given ${released} holds back`);
  }
}

async function closeBatches({ emulator, franchises }: FaultRig): Promise<void> {
  for (const { merchant } of franchises) await emulator.callAs(merchant, 'POST', '/batches/current/close');
}

const BY_HAND = ['cc:capture', 'cc:capture:error'];

async function captureByHand({ emulator }: FaultRig, { run }: Round): Promise<void> {
  const [row] = (await emulator.ledger()).filter(
    (each) => each.trantype_code === 'A' && each.status_code === 'P',
  );
  if (!row) throw new Error('there is no hold');
  const command = BY_HAND[run % BY_HAND.length];
  await emulator.callAs(row.merchant, 'POST', '/transactions', { command, trankey: row.key });
}

/** The day's batch settles in the middle of it all: what is settled stays, and no machine refunds it. */
async function closingBatches(rig: FaultRig, round: Round): Promise<void> {
  const { emulator, portal, proxy } = rig;
  switch (variantOf(round, ['look-up', 'capture', 'reversal', 'release', 'by hand'] as const)) {
    case 'look-up':
      await payAgain(rig, await failToAuthorize(rig, round, LOST));
      await closeBatches(rig);
      break;
    case 'capture':
      await pay(rig, kindOf(round));
      await emulator.script({ ...LOST, command: 'capture', times: 3 });
      await sweepImpatiently(rig);
      await closeBatches(rig);
      break;
    case 'reversal': {
      // The portal gives it up as uncapturable, but somebody captured it by hand, and it settles before the void.
      await pay(rig, 'guest');
      const { rows } = await portal.deps.db.query.execute<LostCharge>(sql`
        SELECT id AS "chargeId", intent_id AS "intentId" FROM charge WHERE state = 'accepted'`);
      for (const { chargeId, intentId } of rows) {
        await decide(portal.deps, { intentId, decision: { event: 'refuse-capture', chargeId } });
      }
      await captureByHand(rig, round);
      proxy.plan({ name: 'void', before: () => closeBatches(rig) });
      await sweepAfter(rig, LOOK_UP_SECONDS);
      break;
    }
    case 'release':
      await payAgain(rig, await failToAuthorize(rig, round, { fault: 'verify' }));
      proxy.plan({ name: 'void', before: () => closeBatches(rig) });
      await sweepAfter(rig, LOOK_UP_SECONDS);
      break;
    case 'by hand': {
      // No machine undoes what a person collected, whether before it was found or after; it goes to review.
      rig.run.mayNeedReview = true;
      await failToAuthorize(rig, round, LOST, 'guest');
      const collect = async () => {
        await captureByHand(rig, round);
        await closeBatches(rig);
      };
      if (round.run % 2 === 0) await collect();
      else proxy.plan({ name: 'get', before: collect });
      await sweepAfter(rig, LOOK_UP_SECONDS);
    }
  }
  await resolve(rig, round);
}

const STORMS = ['*', 'list', 'capture', 'void', 'the real limit'] as const;
const STORM_MINUTES = 8;
const LISTS_A_MINUTE = 10;
/** The provider's limit per minute, plus for each account the one call that is told so. */
const CALLS_A_MINUTE = 45 + 3;
/** While rate limited, an account makes one call and then backs off for a minute. */
const CALLS_A_MINUTE_OF_STORM = 4;

/** When the provider answers 429, the sweep slows down and loses nothing. */
async function storms(rig: FaultRig, round: Round): Promise<void> {
  const storm = variantOf(round, STORMS);
  const isReal = storm === 'the real limit';
  await makeWork(rig, round, isReal ? 12 : 3);
  if (isReal) await rig.emulator.switch({ rateLimit: true });
  else await rig.emulator.script({ fault: 'status', status: 429, command: storm, times: 100_000 });
  let most = 0;
  for (let minute = 1; minute <= STORM_MINUTES; minute++) {
    const begin = rig.proxy.calls.length;
    await sweepAfterBoth(rig, 60);
    const calls = rig.proxy.calls.slice(begin);
    const lists = busiest(calls.filter(({ name }) => name === 'list'));
    must(lists <= LISTS_A_MINUTE, `${lists} lists of one account in a minute`);
    const busy = isReal ? calls.length : busiest(calls);
    const allowed = storm === '*' ? CALLS_A_MINUTE_OF_STORM : CALLS_A_MINUTE;
    must(busy <= allowed, `${busy} calls in a minute`);
    most = Math.max(most, busy);
    if (minute === 2 && storm === '*') await payInTheStorm(rig);
  }
  await resolve(rig, round, { waitingSeconds: HOUR_SECONDS });
  rig.run.figures.callsAMinute = most;
}

/** Makes that many payments to capture, and holds to release. */
async function makeWork(rig: FaultRig, round: Round, count: number): Promise<void> {
  for (let index = 0; index < count; index++) {
    const kind = count > KINDS.length ? 'guest' : (KINDS[index] ?? 'guest');
    await pay(rig, kind);
    await payAgain(rig, await failToAuthorize(rig, round, LOST, kind));
  }
}

function busiest(calls: ProviderCall[]): number {
  const byAccount = Map.groupBy(calls, ({ apiKey }) => apiKey);
  return Math.max(0, ...[...byAccount.values()].map((own) => own.length));
}

async function payInTheStorm(rig: FaultRig): Promise<void> {
  const payment: Payment = await newPayment(rig, 'portal');
  rig.reach(IMPATIENT);
  mustHear(await press(rig, payment), 'not charged');
  await heal(rig);
  await payAgain(rig, payment);
  await rig.emulator.script({ fault: 'status', status: 429, command: '*', times: 100_000 });
}

export const listings: FaultAttack[] = [
  attack(
    'F11',
    'too many requests, again and again: the sweep stays inside its budget, and nothing is lost',
    10,
    storms,
  ),
  attack(
    'F15',
    'an answer or an effect that comes minutes or hours late: found, and given back',
    24,
    lateAnswers,
  ),
  attack('F16', 'a list that misleads: a hold that is there is never called absent', 30, misleadingLists),
  attack('F17', 'a batch that closes between two steps: nothing is refunded by machine', 10, closingBatches),
];
