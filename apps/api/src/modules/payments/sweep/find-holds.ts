import type { Deps } from '../../../deps.ts';
import {
  isPaidThere,
  mayHold,
  type PaymentGateway,
  type TransactionRecord,
} from '../../../gateway/payment-gateway.ts';
import { isHoldOf, releaseHold } from '../../../gateway/release-hold.ts';
import { LONGEST_BACK_OFF_SECONDS } from '../../../jobs/back-off.ts';
import { traceTask } from '../../../jobs/observe-task.ts';
import { isKeyTaken, noteAbsence, putInReview } from '../engine/charges.queries.ts';
import { type Decision, decide } from '../engine/decide.ts';
import { BETWEEN_PROOFS_SECONDS, mayProve, proofBegins, secondsToProofs } from '../listings/prove-absence.ts';
import { scanByAnyKeys } from '../listings/scan-by-any-keys.ts';
import { isUnderWay, type Scan, type ScanRequest } from '../listings/scan-listing.ts';
import { isHopeless, isOverdue } from './is-hopeless.ts';
import {
  countLease,
  type LeasedCharge,
  leaseLostCharges,
  noteAnswer,
  noteNoAnswer,
  postponeCharge,
  renewLeases,
  restAccount,
} from './leases.queries.ts';

const MINUTE = 60;
const DAY = 24 * 60 * MINUTE;
const PROVED_TOGETHER_SECONDS = 30;
const REST_SECONDS = MINUTE;
/** A reading this young also serves the next charge. */
const RECENT_SECONDS = 2;

/**
 * Looks for the holds of an account's abandoned charges whose answer was lost. The provider can't search by order id,
 * so this reads the list, once for all of them.
 */
export async function findHolds(
  deps: Deps,
  { accountId, isStopping = () => false }: { accountId: number; isStopping?: () => boolean },
): Promise<void> {
  const { db, env } = deps;
  const next = () => leaseLostCharges(db.query, { publicUrl: env.PUBLIC_URL, accountId });
  while (!isStopping()) {
    const charges = await next();
    if (charges.length === 0) return;
    await traceTask(deps, 'find-holds', () => lookFor(deps, { accountId, charges }));
  }
}

async function lookFor(
  deps: Deps,
  { accountId, charges }: { accountId: number; charges: LeasedCharge[] },
): Promise<void> {
  const { scan, gateway } = await scanFor(deps, { accountId, charges });
  await noteWhetherAnswered(deps, { accountId, charges, scan });
  if (scan.stoppedBy === 'too-many-requests') {
    await restAccount(deps.db.query, { accountId, seconds: REST_SECONDS });
  }
  for (const charge of charges) {
    const rows = (scan.byOrderId.get(charge.orderId) ?? []).filter((row) => !row.isRefund);
    const decision =
      rows.length > 0 ? await decisionFor(deps, { gateway, charge, rows }) : absence(scan, charge);
    await finish(deps, charge, { lookUp: decision, scan });
  }
}

/** Only a list asked for during this lease tells whether the account answers. */
async function noteWhetherAnswered(
  { db }: Deps,
  { accountId, charges, scan }: { accountId: number; charges: LeasedCharge[]; scan: Scan },
): Promise<void> {
  if (scan.stoppedBy === 'no-answer') return noteNoAnswer(db.query, { accountId });
  const { beganAt, stoppedBy } = scan;
  if (!beganAt || stoppedBy === 'budget') return;
  const isAsked = charges.every((charge) => beganAt.getTime() >= charge.leasedAtMilliseconds);
  if (isAsked && charges.some((charge) => charge.accountFailures > 0))
    await noteAnswer(db.query, { accountId });
}

async function scanFor(
  deps: Deps,
  { accountId, charges }: { accountId: number; charges: LeasedCharge[] },
): Promise<{ scan: Scan; gateway: PaymentGateway }> {
  const { scan, gateway, by, areOwnRefused } = await scanByAnyKeys(deps, {
    accountId,
    orderIds: charges.map((charge) => charge.orderId),
    until: (seen) => charges.every((charge) => seen.has(charge.orderId)),
    onPage: async () => void (await renewLeases(deps.db.query, charges)),
    ...reachFor(charges),
  });
  if (areOwnRefused)
    deps.log.error({ accountId, alert: 'merchant-keys-refused' }, 'the provider refuses our keys');
  // A row under newer keys proves that it is the same account for its own charge only.
  return { scan: by === 'own' ? scan : { ...scan, isComplete: false }, gateway };
}

/**
 * Before absence can be proved, a look reads back only to the charges, by the list's own clock. A proof reads a day
 * further, for any time zone of the merchant, and begins late enough to count.
 */
function reachFor(charges: LeasedCharge[]): Pick<ScanRequest, 'back' | 'since'> {
  const proving = charges.filter(mayProve);
  const ages = charges.map((charge) => charge.leasedAtMilliseconds - charge.createdAtMilliseconds);
  const leasedAt = Math.max(...charges.map((charge) => charge.leasedAtMilliseconds));
  if (proving.length === 0) {
    const since = new Date(leasedAt - RECENT_SECONDS * 1000);
    return { since, back: { youngerThanSeconds: Math.max(...ages) / 1000 } };
  }
  const oldest = Math.min(...charges.map((charge) => charge.createdAtMilliseconds));
  const since = Math.min(leasedAt, Math.max(...proving.map(proofBegins)));
  return { since: new Date(since), back: new Date(oldest - DAY * 1000) };
}

type LookUp = Decision | 'first-proof' | 'try-again';

type Listed = { gateway: PaymentGateway; charge: LeasedCharge; rows: TransactionRecord[] };

async function decisionFor(deps: Deps, { gateway, charge, rows }: Listed): Promise<LookUp> {
  const { chargeId, fence } = charge;
  const event = (name: 'find-capture' | 'find-nothing') => ({ event: name, chargeId, fence }) as const;
  if (rows.some(isPaidThere)) return event('find-capture');
  const holds = rows.filter(mayHold);
  if (holds.length > 1) return releaseOthers(deps, { gateway, charge, rows: holds });
  const [hold] = holds;
  if (hold) return { event: 'find-hold', chargeId, fence, hold };
  const released = rows.find((row) => row.state === 'voided');
  return released ? { event: 'find-released', chargeId, fence, hold: released } : event('find-nothing');
}

/**
 * Releases all holds but one. We ask for a hold once per charge, so a second one is the provider's fault; if one is another
 * charge's, a person decides about all of them.
 */
async function releaseOthers(deps: Deps, { gateway, charge, rows }: Listed): Promise<LookUp> {
  const { chargeId, fence, orderId } = charge;
  for (const row of rows)
    if (await isKeyTaken(deps.db.query, { chargeId, ...row }))
      return { event: 'find-conflict', chargeId, fence };
  for (const { transactionKey } of rows.slice(1)) {
    const millisecondsLeft = countLease();
    if ((await renewLeases(deps.db.query, [charge])) === 0) break;
    const isOurs = () => isHoldOf(gateway, { transactionKey, orderId });
    if (await isOurs()) await releaseHold(gateway, { transactionKey, millisecondsLeft }, isOurs);
  }
  return 'try-again';
}

/** Two complete listings, a minute apart and late enough, prove that there is no hold. */
function absence({ isComplete, beganAt }: Scan, charge: LeasedCharge): LookUp {
  const isProof = isComplete && beganAt.getTime() >= proofBegins(charge);
  if (!isProof || !mayProve(charge)) return 'try-again';
  if (charge.absentSeconds === null) return 'first-proof';
  const { chargeId, fence } = charge;
  return { event: 'find-nothing', chargeId, fence };
}

async function finish(
  deps: Deps,
  charge: LeasedCharge,
  { lookUp, scan }: { lookUp: LookUp; scan: Scan },
): Promise<void> {
  const { chargeId, fence, intentId, orderId, overdueSeconds } = charge;
  if (lookUp === 'first-proof') {
    await noteAbsence(deps.db.query, charge);
    return postponeCharge(deps.db.query, charge, { seconds: BETWEEN_PROOFS_SECONDS });
  }
  if (lookUp !== 'try-again') {
    if (lookUp.event === 'find-capture' || lookUp.event === 'find-conflict') {
      deps.log.error({ chargeId, orderId, alert: lookUp.event }, 'a charge needs attention');
    }
    await decide(deps, { intentId, decision: lookUp });
    return;
  }
  // A list that has to wait its turn may still show the charge; until then, a person sees it.
  const isWaiting = isUnderWay(scan) || scan.stoppedBy === 'too-many-requests';
  if (isHopeless(charge) && !isWaiting) {
    deps.log.error({ chargeId, orderId, alert: 'neither found nor ruled out' }, 'a charge needs attention');
    await decide(deps, { intentId, decision: { event: 'give-up', chargeId, fence } });
    return;
  }
  if (isOverdue(overdueSeconds)) await putInReview(deps.db.query, charge);
  await postponeCharge(deps.db.query, charge, nextLook(charge, scan));
}

type Delay = Parameters<typeof postponeCharge>[2];

/**
 * The back-off, capped at the moment from which a listing counts as proof. Charges whose proofs are due at about the
 * same time wait for each other, so that one reading serves them all.
 */
function nextLook(charge: LeasedCharge, { againInSeconds }: Scan): Delay {
  const { absentSeconds, leasedAtMilliseconds } = charge;
  if (againInSeconds !== undefined)
    return { seconds: Math.min(againInSeconds + 1, LONGEST_BACK_OFF_SECONDS) };
  if (absentSeconds !== null && absentSeconds < BETWEEN_PROOFS_SECONDS) {
    return { seconds: BETWEEN_PROOFS_SECONDS - absentSeconds };
  }
  const left = secondsToProofs(charge);
  if (left <= 0) return {};
  const proofAt = leasedAtMilliseconds / 1000 + left + 1;
  const together = Math.ceil(proofAt / PROVED_TOGETHER_SECONDS) * PROVED_TOGETHER_SECONDS;
  return { atMostSeconds: left + 1 + (together - proofAt) };
}
