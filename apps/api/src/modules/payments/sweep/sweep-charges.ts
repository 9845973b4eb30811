import { cents } from '@brightpane/money/cents';
import type { Deps } from '../../../deps.ts';
import { isPaidThere } from '../../../gateway/payment-gateway.ts';
import { releaseHold } from '../../../gateway/release-hold.ts';
import { traceTask } from '../../../jobs/observe-task.ts';
import { workTogether } from '../../../jobs/work-together.ts';
import { openSealedKeys } from '../../merchant-accounts/open-merchant-keys.ts';
import { isAccepted } from '../engine/charge-states.ts';
import { noteImpossible, putInReview } from '../engine/charges.queries.ts';
import { decide } from '../engine/decide.ts';
import type { ChargeEvent } from '../engine/transitions.ts';
import { findTransaction, type Standing } from './find-transaction.ts';
import { isHopeless, isOverdue } from './is-hopeless.ts';
import {
  type KeyedCharge,
  leaseKeyedCharges,
  noteAnswer,
  noteNoAnswer,
  postponeCharge,
  restAccount,
} from './leases.queries.ts';

const HOUR = 3_600;
const REST_SECONDS = 60;
/** Required time between the two answers that make a capture impossible. */
const IMPOSSIBLE_SECONDS = 60;

/** What one lease found about a charge: an event to decide, or that it must be tried again. */
type Finding =
  | Exclude<ChargeEvent, 'find-hold' | 'find-released'>
  | 'try-again'
  /** The outcome of a call is unknown: it hung, broke off or made no sense. */
  | 'no-answer'
  | 'impossible'
  | 'keys-refused'
  | 'not-allowed'
  | 'foreign'
  | 'too-many-requests';

const WORKERS = 4;

/**
 * Works off an account's due charges that have a transaction, with up to four calls in parallel. An account that hasn't
 * answered lately gets one call at a time until it does. The rows hold all state, so any number of workers may run.
 */
export function sweepAccount(
  deps: Deps,
  { accountId, isStopping }: { accountId: number; isStopping?: () => boolean },
): Promise<void> {
  const { db, env } = deps;
  return workTogether({
    workers: WORKERS,
    take: (most) => leaseKeyedCharges(db.query, { publicUrl: env.PUBLIC_URL, accountId, most }),
    mayShare: (charge) => charge.accountFailures === 0,
    work: (charge) => traceTask(deps, 'sweep-charges', () => sweepCharge(deps, charge)),
    isStopping,
  });
}

/** Captures what was accepted, releases what was abandoned, reverses what can't be captured. */
export async function sweepCharge(deps: Deps, charge: KeyedCharge): Promise<void> {
  const finding = await work(deps, charge);
  deps.log.info({ chargeId: charge.chargeId, state: charge.state, finding }, 'swept a charge');
  const { chargeId, fence, intentId, accountId } = charge;
  if (finding === 'no-answer') await noteNoAnswer(deps.db.query, { accountId });
  else if (charge.accountFailures > 0 && finding !== 'start-release')
    await noteAnswer(deps.db.query, { accountId });
  switch (finding) {
    case 'too-many-requests':
      await restAccount(deps.db.query, { accountId: charge.accountId, seconds: REST_SECONDS });
      // Says nothing about the charge, so never give it up for this; after a day, a person sees it.
      if (isOverdue(ageOf(charge))) await putInReview(deps.db.query, charge);
      return postponeCharge(deps.db.query, charge, { seconds: REST_SECONDS });
    case 'impossible':
      await noteImpossible(deps.db.query, charge);
      return postponeCharge(deps.db.query, charge, { seconds: IMPOSSIBLE_SECONDS });
    case 'keys-refused':
      alert(deps, charge, 'merchant-keys-refused');
      return giveUpOrTryAgain(deps, charge);
    case 'not-allowed':
      if (charge.state === 'accepted') alert(deps, charge, 'captures are not allowed');
      else alert(deps, charge, 'releases are not allowed');
      return giveUpOrTryAgain(deps, charge);
    case 'foreign':
      // Only a person can look its order up; if the answer was wrong, the next one ends it.
      alert(deps, charge, 'the transaction is of another order');
      await putInReview(deps.db.query, charge);
      return postponeCharge(deps.db.query, charge);
    case 'try-again':
    case 'no-answer':
      return giveUpOrTryAgain(deps, charge);
    default:
      await decide(deps, { intentId, decision: { event: finding, chargeId, fence } });
      if (ALERTED.has(finding)) alert(deps, charge, finding);
  }
}

/** Findings that a person should hear about at once. */
const ALERTED = new Set<Finding>(['find-capture', 'find-conflict', 'refuse-capture', 'confirm-reversal']);

function work(deps: Deps, charge: KeyedCharge): Promise<Finding> {
  switch (charge.state) {
    case 'accepted':
      return capture(deps, charge);
    case 'reversing':
      return giveBack(deps, charge, reversalFinding);
    case 'releasing':
      return giveBack(deps, charge, releaseFinding);
    case 'abandoned':
      return Promise.resolve('start-release');
    default:
      throw new Error(`a charge that is ${charge.state} was leased`);
  }
}

/** Maps a call that the provider didn't execute. */
function refusalFinding({ status }: { status: 401 | 403 | 404 | 429 }): Finding {
  if (status === 429) return 'too-many-requests';
  return status === 404 ? 'try-again' : 'keys-refused';
}

/**
 * Every attempt after the first asks for the charge's state before it sends anything. A worker that slept through its
 * lease sends nothing: a person may have ended the charge since.
 */
async function capture(deps: Deps, charge: KeyedCharge): Promise<Finding> {
  let gateway = deps.gateways.of(await openSealedKeys(deps, charge.account));
  if (charge.attempts > 1) {
    const standing = await findTransaction(deps, charge);
    const known = captureFinding(deps, charge, standing);
    if (known) return known;
    if (standing.kind === 'found') gateway = standing.gateway;
  }
  const { transactionKey, millisecondsLeft } = charge;
  if (transactionKey === null)
    throw new Error(`charge ${charge.chargeId} was accepted without a transaction`);
  const amountCents = cents(charge.amountCents);
  const outcome = await gateway.capture({ transactionKey, amountCents, millisecondsLeft });
  switch (outcome.kind) {
    case 'captured':
      return 'confirm-capture';
    case 'impossible': {
      const isSecond = charge.impossibleSeconds !== null && charge.impossibleSeconds >= IMPOSSIBLE_SECONDS;
      if (!isSecond) return 'impossible';
      // A worker that has lost its lease may just have captured it, which makes another capture impossible too.
      return captureFinding(deps, charge, await findTransaction(deps, charge)) ?? 'refuse-capture';
    }
    case 'not-executed':
      return refusalFinding(outcome);
    case 'unknown':
      return 'no-answer';
    case 'unclear':
      return 'try-again';
    case 'not-allowed':
      return 'not-allowed';
  }
}

/** What reading a charge's transaction means for it; `null` if the call that it waits for is to be sent. */
type Judge = (standing: Standing) => Finding | null;

function captureFinding(deps: Deps, charge: KeyedCharge, standing: Standing): Finding | null {
  if (standing.kind === 'foreign') return 'foreign';
  if (standing.kind !== 'found') return unreadFinding(standing);
  const { transaction } = standing;
  if (transaction.state === 'voided') return 'refuse-capture';
  if (!isPaidThere(transaction)) return null;
  if (transaction.amountCents !== charge.amountCents) alert(deps, charge, 'captured another amount');
  return 'confirm-capture';
}

/** An abandoned hold. */
const releaseFinding: Judge = (standing) => {
  if (standing.kind === 'foreign') return 'find-conflict';
  if (standing.kind !== 'found') return unreadFinding(standing) ?? 'try-again';
  const { transaction } = standing;
  if (isPaidThere(transaction)) return 'find-capture';
  if (transaction.state === 'voided') return 'confirm-release';
  return transaction.state === 'none' ? 'find-nothing' : null;
};

/** An accepted charge that can't be captured; if it was captured after all, it stays paid. */
const reversalFinding: Judge = (standing) => {
  if (standing.kind === 'foreign') return 'foreign';
  if (standing.kind !== 'found') return unreadFinding(standing) ?? 'try-again';
  const { state, status } = standing.transaction;
  if (state === 'voided' || state === 'none') return 'confirm-reversal';
  if (state !== 'settled') return null;
  // A release that we sent may still land in a batch on its way.
  return status === 'B' ? 'try-again' : 'confirm-capture';
};

/** Of a transaction whose record wasn't read; `null` if the provider doesn't know it. */
function unreadFinding({ kind }: Exclude<Standing, { kind: 'found' | 'foreign' }>): Finding | null {
  switch (kind) {
    case 'too-many-requests':
      return 'too-many-requests';
    case 'refused':
      return 'keys-refused';
    case 'unknown':
      return 'no-answer';
    case 'not-found':
      return null;
  }
}

/** Gives a hold back. It counts as given back only once the provider's records say so. */
async function giveBack(deps: Deps, charge: KeyedCharge, judge: Judge): Promise<Finding> {
  const before = await findTransaction(deps, charge);
  const known = judge(before);
  if (known) return known;
  if (before.kind !== 'found') return 'try-again';
  const { transactionKey } = before.transaction;
  const { millisecondsLeft } = charge;
  const look = async () => judge(await findTransaction(deps, charge));
  const hold = { transactionKey, millisecondsLeft };
  const sent = await releaseHold(before.gateway, hold, async () => (await look()) === null);
  if (sent.kind === 'not-executed') return refusalFinding(sent);
  if (sent.kind === 'not-allowed') return 'not-allowed';
  return (await look()) ?? 'try-again';
}

/** Seconds since it should have been captured or released. */
const ageOf = (charge: KeyedCharge) =>
  isAccepted(charge.state) ? (charge.acceptedSeconds ?? 0) : charge.overdueSeconds;

async function giveUpOrTryAgain(deps: Deps, charge: KeyedCharge): Promise<void> {
  const { chargeId, fence, intentId } = charge;
  const age = ageOf(charge);
  if (isHopeless(charge) && !isAccepted(charge.state)) {
    alert(deps, charge, 'not released within a day');
    await decide(deps, { intentId, decision: { event: 'give-up', chargeId, fence } });
    return;
  }
  if (age > HOUR && isAccepted(charge.state)) alert(deps, charge, 'not captured within an hour');
  if (isOverdue(age)) await putInReview(deps.db.query, charge);
  await postponeCharge(deps.db.query, charge);
}

function alert(deps: Deps, { chargeId, orderId, state }: KeyedCharge, what: string): void {
  deps.log.error({ chargeId, orderId, state, alert: what }, 'a charge needs attention');
}
