import { randomUUID } from 'node:crypto';
import http from 'node:http';
import { isDeepStrictEqual } from 'node:util';
import type { CrashPoint } from '../../../../../apps/api/src/crash-points.ts';
import { advanceEngineClock } from '../../../../../apps/api/test/books/engine-clock.ts';
import type { Round } from '../attack.ts';
import { type FaultBench, heal, IMPATIENT } from './bench.ts';
import { must, mustHear, newPayment, type Payment, type Press, payAgain, press } from './payments.ts';
import { resolve } from './resolve.ts';
import { attack, type Fault, type FaultAttack, kindOf, placeIn, variantOf } from './rig.ts';

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

async function repeatAfterEnd(bench: FaultBench, round: Round, payment: Payment): Promise<void> {
  const key = randomUUID();
  const first = await press(bench, payment, { key });
  mustHear(first, 'not charged');
  await heal(bench);
  const asked = bench.proxy.calls.length;
  const again = await press(bench, payment, { key });
  must(again.replayed && again.status === first.status, `the repeat is answered ${again.status}`);
  must(isDeepStrictEqual(again.body, first.body), 'the repeat is answered otherwise');
  must(bench.proxy.calls.length === asked, 'the repeat was sent to the provider');
  await payAgain(bench, payment);
  await resolve(bench, round);
}

type ErrorClass = (bench: FaultBench, round: Round) => Promise<void>;

const scripted =
  (fault: Fault): ErrorClass =>
  async (bench, round) => {
    const payment = await newPayment(bench, kindOf(round));
    await bench.emulator.script({ command: 'authonly', after: placeIn(round, payment), ...fault });
    bench.reach(IMPATIENT);
    await repeatAfterEnd(bench, round, payment);
  };

const nobodyThere: ErrorClass = async (bench, round) => {
  bench.reach({ baseUrl: 'http://127.0.0.1:1/api/v2' });
  await repeatAfterEnd(bench, round, await newPayment(bench, kindOf(round)));
};

const timeUp: ErrorClass = async (bench, round) => {
  const payment = await newPayment(bench, kindOf(round));
  const answered = () => advanceEngineClock(bench.portal.deps, 70);
  bench.proxy.plan({ name: 'authonly', after: placeIn(round, payment), answered });
  await repeatAfterEnd(bench, round, payment);
};

/** A refusal before the payment began isn't remembered: the same key may pay. */
const refusedFirst: ErrorClass = async (bench, round) => {
  const payment = await newPayment(bench, kindOf(round));
  const key = randomUUID();
  const refused = await press(bench, payment, { key, given: { legalAccepted: 'perhaps' } });
  must(refused.status === 400, `answered ${refused.status}`);
  await payUnder(bench, payment, key);
  await resolve(bench, round);
};

const inProgress: ErrorClass = async (bench, round) => {
  const payment = await newPayment(bench, kindOf(round));
  const first = holdUp(bench, payment);
  await first.isUnderWay;
  const key = randomUUID();
  const second = await press(bench, payment, { key });
  must(second.status === 409 && second.codes.includes('InProgress'), `answered ${second.status}`);
  payment.mustBePaid = true;
  mustHear(await first.goOn(), 'paid');
  mustHear(await press(bench, payment, { key }), 'already paid');
  await resolve(bench, round);
};

/** While the provider fails, one payment at a time probes it; the others are turned away and may come back. */
const breakerOpen: ErrorClass = async (bench, round) => {
  const kind = round.run % 2 === 0 ? 'guest' : 'portal';
  const failing = await newPayment(bench, kind);
  await bench.emulator.script({ fault: 'reset', when: 'before', command: 'authonly', times: 5 });
  for (let time = 1; time <= 5; time++) mustHear(await press(bench, failing), 'not charged');
  const probe = holdUp(bench, failing);
  await probe.isUnderWay;
  const payment = await newPayment(bench, kind);
  const key = randomUUID();
  const turnedAway = await press(bench, payment, { key });
  must(turnedAway.status === 503 && turnedAway.heard === 'nothing certain', `answered ${turnedAway.status}`);
  failing.mustBePaid = true;
  mustHear(await probe.goOn(), 'paid');
  await payUnder(bench, payment, key);
  await resolve(bench, round);
};

const answerLost: ErrorClass = async (bench, round) => {
  const payment = await newPayment(bench, kindOf(round));
  const key = randomUUID();
  await pressAndLeave(bench, payment, { key, point: '10-after-accept' });
  await payUnder(bench, payment, key);
  await resolve(bench, round);
};

async function payUnder(bench: FaultBench, payment: Payment, key: string): Promise<Press> {
  const paid = await press(bench, payment, { key });
  mustHear(paid, 'paid');
  payment.mustBePaid = true;
  return paid;
}

/** A payment that is held up while the provider is asked. */
function holdUp(bench: FaultBench, payment: Payment) {
  const reached = Promise.withResolvers<void>();
  const free = Promise.withResolvers<void>();
  bench.proxy.plan({
    name: 'authonly',
    before: () => {
      reached.resolve();
      return free.promise;
    },
  });
  const answer = press(bench, payment);
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

async function keysOfOthers(bench: FaultBench, round: Round): Promise<void> {
  const key = randomUUID();
  const { emulator, other } = bench;
  switch (
    variantOf(round, ['changed', 'changed after end', 'another’s', 'another’s invoices', 'guests'] as const)
  ) {
    case 'changed': {
      const payment = await newPayment(bench, kindOf(round));
      const paid = await payUnder(bench, payment, key);
      mustHear(await press(bench, payment, { key, given: otherBody(payment) }), 'other request');
      const again = await press(bench, payment, { key });
      must(again.replayed && isDeepStrictEqual(again.body, paid.body), 'the repeat is answered otherwise');
      break;
    }
    case 'changed after end': {
      const payment = await newPayment(bench, kindOf(round));
      await emulator.script({ fault: 'reset', when: 'after', command: 'authonly' });
      mustHear(await press(bench, payment, { key }), 'not charged');
      mustHear(await press(bench, payment, { key, given: otherBody(payment) }), 'other request');
      mustHear(await press(bench, payment, { key }), 'not charged');
      await payAgain(bench, payment);
      break;
    }
    case 'another’s': {
      const first = await payUnder(bench, await newPayment(bench, 'portal'), key);
      const second = await payUnder(bench, await newPayment(bench, 'three', other), key);
      must(!second.replayed, 'somebody else’s answer was told');
      must(first.body.references !== second.body.references, 'two payments have the same references');
      break;
    }
    case 'another’s invoices': {
      const payment = await newPayment(bench, 'portal');
      await payUnder(bench, payment, key);
      const stranger = await press(bench, payment, { key, customer: other });
      must(stranger.status === 404 && !stranger.replayed, `a stranger was answered ${stranger.status}`);
      break;
    }
    case 'guests': {
      await payUnder(bench, await newPayment(bench, 'guest'), key);
      const second = await payUnder(bench, await newPayment(bench, 'guest'), key);
      must(!second.replayed, 'somebody else’s answer was told');
    }
  }
  await resolve(bench, round);
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

async function leavingPayers(bench: FaultBench, round: Round): Promise<void> {
  const kind = kindOf(round);
  const variants = kind === 'three' ? LEAVINGS_OF_THREE : LEAVINGS;
  const point = variants[Math.floor(round.run / 3) % variants.length] ?? 'half-sent';
  const payment = await newPayment(bench, kind);
  const key = randomUUID();
  if (point === 'half-sent') await sendHalf(bench);
  else await pressAndLeave(bench, payment, { key, point });
  let answer = await press(bench, payment, { key });
  for (let time = 1; time < 5 && answer.status === 409; time++) answer = await press(bench, payment, { key });
  mustHear(answer, 'paid');
  payment.mustBePaid = true;
  await resolve(bench, round);
}

async function pressAndLeave(
  bench: FaultBench,
  payment: Payment,
  { key, point }: { key: string; point: CrashPoint },
): Promise<void> {
  const leaving = new AbortController();
  let isReached = false;
  bench.at = (passed) => {
    if (passed !== point) return;
    isReached = true;
    leaving.abort();
  };
  await press(bench, payment, { key, signal: leaving.signal });
  bench.at = () => {};
  must(isReached, `${point} was not reached`);
}

/** A request whose second half never comes. */
function sendHalf({ url }: FaultBench): Promise<void> {
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
    (bench, round) => variantOf(round, ERROR_CLASSES)(bench, round),
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
