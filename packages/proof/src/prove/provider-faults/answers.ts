import { sql } from 'drizzle-orm';
import type { Round } from '../attack.ts';
import {
  attack,
  attackVerb,
  type Fault,
  type FaultAttack,
  failToAuthorize,
  kindOf,
  LOOK_UP_SECONDS,
  pay,
  placeIn,
  sweepAfter,
  sweepImpatiently,
  VERBS,
  variantOf,
} from './fault-attack.ts';
import { must, mustHear, newPayment, type Payment, payAgain, press } from './payments.ts';
import { resolve } from './resolve.ts';
import type { FaultRig } from './rig.ts';

const timeOutOfRelease: FaultAttack['run'] = (rig, round) => {
  const { run } = round;
  const fault = { fault: 'hang', when: run % 2 === 0 ? 'before' : 'after', times: 1 + (run % 3) };
  return attackVerb(rig, round, 'void', fault);
};

const STATUSES = [500, 502, 503, 504];

const serverErrors: FaultAttack['run'] = (rig, round) => {
  const { run } = round;
  const isHtml = Math.floor(run / 4) % 2 === 1;
  const when = Math.floor(run / 8) % 2 === 0 ? 'before' : 'after';
  const verb = VERBS[Math.floor(run / 16) % 3] ?? 'authonly';
  const status = variantOf(round, STATUSES);
  return attackVerb(rig, round, verb, { fault: isHtml ? 'html' : 'status', status, when });
};

const UNREADABLE: Fault[] = [
  { fault: 'empty' },
  { fault: 'null' },
  { fault: 'array' },
  { fault: 'bad-json' },
  { fault: 'bom' },
  { fault: 'duplicate-keys' },
  { fault: 'number-strings' },
  { fault: 'nan' },
  { fault: 'oversized' },
  { fault: 'gzip-bomb' },
  { fault: 'truncate' },
  { fault: 'html', status: 200 },
  { fault: 'wrong', answer: { result_code: 1 } },
  { fault: 'wrong', answer: { result_code: ['A'], key: {}, data: {}, total: 'many' } },
  { fault: 'wrong', answer: { auth_amount: 108.25, amount: null, trantype_code: 7, data: [null] } },
  { fault: 'wrong', answer: { is_duplicate: true, refnum: 12345, created: false, data: 'none' } },
];
const MOST_BYTES = 64 * 1024 * 1024;
/** Calls whose answers decide something. */
const READ = ['capture', 'void', 'get', 'list'] as const;

async function unreadableAnswers(rig: FaultRig, round: Round): Promise<void> {
  const fault = variantOf(round, UNREADABLE);
  const isWrong = fault.fault === 'wrong';
  const isFirstTime = round.run < UNREADABLE.length;
  const when = isWrong || round.run % 2 === 0 ? 'after' : 'before';
  // Past the proxy, whose memory must not be measured.
  const baseUrl = rig.emulator.apiUrl;
  const watch = watchMemory();
  if (isFirstTime) {
    const payment = await newPayment(rig, kindOf(round));
    await rig.emulator.script({ command: 'authonly', after: placeIn(round, payment), ...fault, when });
    rig.reach({ baseUrl });
    mustHear(await press(rig, payment), 'not charged');
    await payAgain(rig, payment);
  } else {
    const command = variantOf(round, READ);
    if (command === 'capture') await pay(rig, kindOf(round));
    else await payAgain(rig, await failToAuthorize(rig, round, { fault: 'reset', when: 'after' }));
    await rig.emulator.script({ command, ...fault, when: 'after', times: 2 });
    rig.reach({ baseUrl });
    await sweepAfter(rig, LOOK_UP_SECONDS);
  }
  const grown = watch();
  must(grown < MOST_BYTES, `the portal grew by ${grown} bytes`);
  await resolve(rig, round);
}

/** Returns a function that tells how much this process grew at most. */
function watchMemory(): () => number {
  const base = process.memoryUsage.rss();
  let most = base;
  const timer = setInterval(() => {
    most = Math.max(most, process.memoryUsage.rss());
  }, 5);
  return () => {
    clearInterval(timer);
    return most - base;
  };
}

/** The first run has the portal's real time-out: an answer of one byte a second must be cut off anyway. */
async function slowAnswers(rig: FaultRig, round: Round): Promise<void> {
  const fault = variantOf(round, [
    { fault: 'slow-bytes', when: 'after' },
    { fault: 'slow-headers', seconds: 60, when: 'after' },
    { fault: 'slow-bytes', when: 'before' },
    { fault: 'slow-headers', seconds: 60, when: 'before' },
  ]);
  const isPatient = round.run === 9;
  if (!isPatient) return attackVerb(rig, round, variantOf(round, VERBS), fault);
  const payment = await newPayment(rig, 'guest');
  await rig.emulator.script({ command: 'authonly', ...fault });
  mustHear(await press(rig, payment), 'not charged');
  await payAgain(rig, payment);
  await resolve(rig, round);
}

async function refusedKeys(rig: FaultRig, round: Round): Promise<void> {
  const { emulator, proxy, run } = rig;
  const status = variantOf(round, [401, 403]);
  const command = variantOf(round, ['authonly', 'capture', 'void', 'get', 'list'] as const);
  const refused = { fault: 'status', status, command };
  if (command === 'authonly') {
    const payment = await newPayment(rig, kindOf(round));
    let minutes = 0;
    rig.reach({ now: () => minutes * 60_000 });
    await emulator.script({ ...refused, times: 6 });
    // Refused at once each time: nobody waits, nothing stays claimed, and the provider is soon left alone.
    for (let time = 1; time <= 8; time++) mustHear(await press(rig, payment), 'not charged');
    minutes += 3;
    for (let time = 1; time <= 2; time++) mustHear(await press(rig, payment), 'not charged');
    const asked = proxy.calls.filter(({ name }) => name === 'authonly').length;
    must(asked === 6, `it was asked ${asked} times with refused keys`);
    minutes += 3;
    await payAgain(rig, payment);
  } else if (command === 'capture') {
    await pay(rig, kindOf(round));
    await emulator.script(refused);
    await sweepImpatiently(rig);
  } else {
    const payment = await failToAuthorize(rig, round, { fault: 'reset', when: 'after' });
    await emulator.script(refused);
    await sweepImpatiently(rig);
    await payAgain(rig, payment);
  }
  must(
    run.errors.some(({ alert }) => alert !== undefined),
    `nobody was alerted of a ${status} on ${command}`,
  );
  await resolve(rig, round);
}

const DUPLICATES = [
  'marked',
  'another’s',
  'unclear',
  'another’s, and no hold',
  'unmarked',
  'folded',
] as const;

async function duplicates(rig: FaultRig, round: Round): Promise<void> {
  const way = variantOf(round, DUPLICATES);
  const kind = way === 'folded' ? 'guest' : kindOf(round, DUPLICATES);
  if (way === 'folded') await rig.emulator.switch({ foldingMode: 'M' });
  // Another payment, which the wrong answer may be about.
  const other = await pay(rig, kind);
  const faults: Record<string, () => Promise<Fault>> = {
    marked: async () => ({ fault: 'duplicate' }),
    'another’s': async () => ({ fault: 'duplicate-other' }),
    unclear: async () => ({ fault: 'wrong', answer: { is_duplicate: null } }),
    'another’s, and no hold': async () => ({ fault: 'duplicate-other', when: 'before' }),
    unmarked: async () => ({ fault: 'wrong', answer: await transactionOf(rig, round, other) }),
  };
  const fault = await faults[way]?.();
  const payment = fault ? await failToAuthorize(rig, round, fault, kind) : await payLike(rig, other);
  await rig.emulator.switch({ foldingMode: 'N' });
  await payAgain(rig, payment);
  await resolve(rig, round);
}

/** What a wrong answer would contain if it were silently about somebody else's payment. */
async function transactionOf({ emulator, franchises }: FaultRig, round: Round, other: Payment) {
  const merchant = franchises[placeIn(round, other)]?.merchant;
  const row = (await emulator.ledger()).find((each) => each.merchant === merchant);
  if (!row) throw new Error('somebody else has not paid');
  return { key: row.key, refnum: row.refnum };
}

/** The provider itself mistakes a payment of the same amount and card for the previous one. */
async function payLike(rig: FaultRig, other: Payment): Promise<Payment> {
  const payment = await newPayment(rig, 'guest');
  const [own, first] = [payment.invoices[0]?.invoiceId, other.invoices[0]?.invoiceId];
  await rig.portal.deps.db.query.execute(sql`
    UPDATE invoice SET amount_cents = (SELECT amount_cents FROM invoice WHERE id = ${first}) WHERE id = ${own}`);
  mustHear(await press(rig, payment), 'not charged');
  return payment;
}

/** Answers with less, more or something other than requested. */
const NOT_WHAT_WAS_ASKED: Fault[] = [
  { fault: 'partial' },
  { fault: 'verify' },
  { fault: 'error' },
  { fault: 'wrong', answer: { result_code: 'Q' } },
  { fault: 'wrong', answer: { auth_amount: '1.00' } },
  { fault: 'wrong' },
  { fault: 'wrong', answer: { currency: '978' } },
  { fault: 'wrong-orderid' },
];

async function notWhatWasAsked(rig: FaultRig, round: Round): Promise<void> {
  const fault = variantOf(round, NOT_WHAT_WAS_ASKED);
  await payAgain(rig, await failToAuthorize(rig, round, fault, kindOf(round, NOT_WHAT_WAS_ASKED)));
  await resolve(rig, round);
}

export const answers: FaultAttack[] = [
  attack(
    'F01',
    'a hold that is never made, and no answer: abandoned, and payable at once',
    20,
    (rig, round) => attackVerb(rig, round, 'authonly', { fault: 'hang', when: 'before' }),
  ),
  attack('F02', 'a hold that is made, and no answer: released; paid again, captured once', 40, (rig, round) =>
    attackVerb(rig, round, 'authonly', { fault: 'hang', when: 'after' }),
  ),
  attack('F03', 'a capture without an answer, made or not: exactly one capture', 40, (rig, round) =>
    attackVerb(rig, round, 'capture', { fault: 'hang', when: round.run % 2 === 0 ? 'before' : 'after' }),
  ),
  attack('F04', 'a release without an answer: repeated until the hold is gone', 20, timeOutOfRelease),
  attack(
    'F05',
    'a server error of the provider, before or after the effect: unknown, not declined',
    48,
    serverErrors,
  ),
  attack('F08', 'an answer that cannot be read: unknown, in less than 64 MiB', 32, unreadableAnswers),
  attack('F09', 'an answer that drips in: cut when its time is up, and unknown', 10, slowAnswers),
  attack('F12', 'keys that the provider refuses: an alert, and nothing stays claimed', 10, refusedKeys),
  attack(
    'F13',
    'an answer that is another payment’s: never accepted, and the other one untouched',
    12,
    duplicates,
  ),
  attack('F14', 'an answer that is not what was asked for: never accepted', 24, notWhatWasAsked),
];
