import { randomUUID } from 'node:crypto';
import http from 'node:http';
import { isDeepStrictEqual } from 'node:util';
import type { CrashPoint } from '../../../../../apps/api/src/crash-points.ts';
import { advanceEngineClock } from '../../../../../apps/api/test/books/engine-clock.ts';
import type { Round } from '../attack.ts';
import { attack, type Fault, type FaultAttack, kindOf, placeIn, variantOf } from './fault-attack.ts';
import { must, mustHear, newPayment, type Payment, type Press, payAgain, press } from './payments.ts';
import { resolve } from './resolve.ts';
import { type FaultRig, heal, IMPATIENT } from './rig.ts';

/** Faults that end a payment for good: from then on the key replays the same answer. */
const ENDINGS: Fault[] = [
  { fault: 'hang', when: 'before' },
  { fault: 'hang', when: 'after' },
  { fault: 'reset', when: 'before' },
  { fault: 'reset', when: 'after' },
  { fault: 'status', status: 500 },
  { fault: 'html', status: 503, when: 'after' },
  { fault: 'status', status: 401 },
  { fault: 'status', status: 403 },
  { fault: 'status', status: 429 },
  { fault: 'redirect', when: 'after' },
  { fault: 'truncate', when: 'after' },
  { fault: 'bad-json', when: 'after' },
  { fault: 'empty' },
  { fault: 'partial' },
  { fault: 'verify' },
  { fault: 'error' },
  { fault: 'duplicate' },
  { fault: 'wrong', when: 'before', answer: { result_code: 'D', error: 'Insufficient funds (F51)' } },
];

async function repeatAfterEnd(rig: FaultRig, round: Round, payment: Payment): Promise<void> {
  const key = randomUUID();
  const first = await press(rig, payment, { key });
  mustHear(first, 'not charged');
  await heal(rig);
  const asked = rig.proxy.calls.length;
  const again = await press(rig, payment, { key });
  must(again.replayed && again.status === first.status, `the repeat is answered ${again.status}`);
  must(isDeepStrictEqual(again.body, first.body), 'the repeat is answered otherwise');
  must(rig.proxy.calls.length === asked, 'the repeat was sent to the provider');
  await payAgain(rig, payment);
  await resolve(rig, round);
}

type ErrorClass = (rig: FaultRig, round: Round) => Promise<void>;

const scripted =
  (fault: Fault): ErrorClass =>
  async (rig, round) => {
    const payment = await newPayment(rig, kindOf(round));
    await rig.emulator.script({ command: 'authonly', after: placeIn(round, payment), ...fault });
    rig.reach(IMPATIENT);
    await repeatAfterEnd(rig, round, payment);
  };

const nobodyThere: ErrorClass = async (rig, round) => {
  rig.reach({ baseUrl: 'http://127.0.0.1:1/api/v2' });
  await repeatAfterEnd(rig, round, await newPayment(rig, kindOf(round)));
};

const timeUp: ErrorClass = async (rig, round) => {
  const payment = await newPayment(rig, kindOf(round));
  const answered = () => advanceEngineClock(rig.portal.deps, 70);
  rig.proxy.plan({ name: 'authonly', after: placeIn(round, payment), answered });
  await repeatAfterEnd(rig, round, payment);
};

/** A refusal before the payment began isn't remembered: the same key may pay. */
const refusedFirst: ErrorClass = async (rig, round) => {
  const payment = await newPayment(rig, kindOf(round));
  const key = randomUUID();
  const refused = await press(rig, payment, { key, given: { legalAccepted: 'perhaps' } });
  must(refused.status === 400, `answered ${refused.status}`);
  await payUnder(rig, payment, key);
  await resolve(rig, round);
};

const inProgress: ErrorClass = async (rig, round) => {
  const payment = await newPayment(rig, kindOf(round));
  const first = holdUp(rig, payment);
  await first.isUnderWay;
  const key = randomUUID();
  const second = await press(rig, payment, { key });
  must(second.status === 409 && second.codes.includes('InProgress'), `answered ${second.status}`);
  payment.mustBePaid = true;
  mustHear(await first.goOn(), 'paid');
  mustHear(await press(rig, payment, { key }), 'already paid');
  await resolve(rig, round);
};

/** While the provider fails, one payment at a time probes it; the others are turned away and may come back. */
const breakerOpen: ErrorClass = async (rig, round) => {
  const kind = round.run % 2 === 0 ? 'guest' : 'portal';
  const failing = await newPayment(rig, kind);
  await rig.emulator.script({ fault: 'reset', when: 'before', command: 'authonly', times: 5 });
  for (let time = 1; time <= 5; time++) mustHear(await press(rig, failing), 'not charged');
  const probe = holdUp(rig, failing);
  await probe.isUnderWay;
  const payment = await newPayment(rig, kind);
  const key = randomUUID();
  const turnedAway = await press(rig, payment, { key });
  must(turnedAway.status === 503 && turnedAway.heard === 'nothing certain', `answered ${turnedAway.status}`);
  failing.mustBePaid = true;
  mustHear(await probe.goOn(), 'paid');
  await payUnder(rig, payment, key);
  await resolve(rig, round);
};

const answerLost: ErrorClass = async (rig, round) => {
  const payment = await newPayment(rig, kindOf(round));
  const key = randomUUID();
  await pressAndLeave(rig, payment, { key, point: '10-after-accept' });
  await payUnder(rig, payment, key);
  await resolve(rig, round);
};

async function payUnder(rig: FaultRig, payment: Payment, key: string): Promise<Press> {
  const paid = await press(rig, payment, { key });
  mustHear(paid, 'paid');
  payment.mustBePaid = true;
  return paid;
}

/** A payment that is held up while the provider is asked. */
function holdUp(rig: FaultRig, payment: Payment) {
  const reached = Promise.withResolvers<void>();
  const free = Promise.withResolvers<void>();
  rig.proxy.plan({
    name: 'authonly',
    before: () => {
      reached.resolve();
      return free.promise;
    },
  });
  const answer = press(rig, payment);
  return {
    isUnderWay: reached.promise,
    goOn: () => {
      free.resolve();
      return answer;
    },
  };
}

const ERROR_CLASSES: ErrorClass[] = [
  ...ENDINGS.map(scripted),
  nobodyThere,
  timeUp,
  refusedFirst,
  inProgress,
  breakerOpen,
  answerLost,
];

const TIPPED = { tipAmount: 5 };

function otherBody(payment: Payment): Record<string, unknown> {
  if (payment.kind === 'guest') return TIPPED;
  const workOrders = payment.invoices.map(({ franchiseId, workOrderNumber }) => ({
    franchiseId,
    workOrderNumber,
    ...TIPPED,
  }));
  return { workOrders };
}

async function keysOfOthers(rig: FaultRig, round: Round): Promise<void> {
  const key = randomUUID();
  const { emulator, other } = rig;
  switch (
    variantOf(round, ['changed', 'changed after end', 'another’s', 'another’s invoices', 'guests'] as const)
  ) {
    case 'changed': {
      const payment = await newPayment(rig, kindOf(round));
      const paid = await payUnder(rig, payment, key);
      mustHear(await press(rig, payment, { key, given: otherBody(payment) }), 'other request');
      const again = await press(rig, payment, { key });
      must(again.replayed && isDeepStrictEqual(again.body, paid.body), 'the repeat is answered otherwise');
      break;
    }
    case 'changed after end': {
      const payment = await newPayment(rig, kindOf(round));
      await emulator.script({ fault: 'reset', when: 'after', command: 'authonly' });
      mustHear(await press(rig, payment, { key }), 'not charged');
      mustHear(await press(rig, payment, { key, given: otherBody(payment) }), 'other request');
      mustHear(await press(rig, payment, { key }), 'not charged');
      await payAgain(rig, payment);
      break;
    }
    case 'another’s': {
      const first = await payUnder(rig, await newPayment(rig, 'portal'), key);
      const second = await payUnder(rig, await newPayment(rig, 'three', other), key);
      must(!second.replayed, 'somebody else’s answer was told');
      must(first.body.references !== second.body.references, 'two payments have the same references');
      break;
    }
    case 'another’s invoices': {
      const payment = await newPayment(rig, 'portal');
      await payUnder(rig, payment, key);
      const stranger = await press(rig, payment, { key, customer: other });
      must(stranger.status === 404 && !stranger.replayed, `a stranger was answered ${stranger.status}`);
      break;
    }
    case 'guests': {
      await payUnder(rig, await newPayment(rig, 'guest'), key);
      const second = await payUnder(rig, await newPayment(rig, 'guest'), key);
      must(!second.replayed, 'somebody else’s answer was told');
    }
  }
  await resolve(rig, round);
}

/** When the payer disconnects: `half-sent` before the request was complete, the others at a point of the payment. */
const LEAVINGS = [
  'half-sent',
  '01-before-claim',
  '02-inside-claim',
  '03-after-claim',
  '04-socket-open',
  '05-authorize-written',
  '06-authorize-answered',
  '09-inside-accept',
  '10-after-accept',
] as const;
/** Points that only a payment on several accounts passes. */
const LEAVINGS_OF_THREE = ['08-after-authorised', ...LEAVINGS] as const;

async function leavingPayers(rig: FaultRig, round: Round): Promise<void> {
  const kind = kindOf(round);
  const variants = kind === 'three' ? LEAVINGS_OF_THREE : LEAVINGS;
  const point = variants[Math.floor(round.run / 3) % variants.length] ?? 'half-sent';
  const payment = await newPayment(rig, kind);
  const key = randomUUID();
  if (point === 'half-sent') await sendHalf(rig);
  else await pressAndLeave(rig, payment, { key, point });
  let answer = await press(rig, payment, { key });
  for (let time = 1; time < 5 && answer.status === 409; time++) answer = await press(rig, payment, { key });
  mustHear(answer, 'paid');
  payment.mustBePaid = true;
  await resolve(rig, round);
}

async function pressAndLeave(
  rig: FaultRig,
  payment: Payment,
  { key, point }: { key: string; point: CrashPoint },
): Promise<void> {
  const leaving = new AbortController();
  let isReached = false;
  rig.at = (passed) => {
    if (passed !== point) return;
    isReached = true;
    leaving.abort();
  };
  await press(rig, payment, { key, signal: leaving.signal });
  rig.at = () => {};
  must(isReached, `${point} was not reached`);
}

/** A request whose second half never comes. */
function sendHalf({ url }: FaultRig): Promise<void> {
  return new Promise((resolve) => {
    const request = http.request(`${url}/api/usaepay/guestsale`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'content-length': '200' },
    });
    request.on('error', () => {});
    request.on('close', () => resolve());
    request.write('{"franchiseId": 1, "workOrderNumber":', () => request.destroy());
  });
}

export const repeats: FaultAttack[] = [
  attack(
    'F26',
    'the same key again after each class of error: one charge',
    2 * ERROR_CLASSES.length,
    (rig, round) => variantOf(round, ERROR_CLASSES)(rig, round),
  ),
  attack(
    'F27',
    'the same key with another body, or of somebody else: refused, or a payment of its own',
    10,
    keysOfOthers,
  ),
  attack(
    'F28',
    'a payer who leaves at each step: finished all the same, and told to the same key',
    30,
    leavingPayers,
  ),
];
