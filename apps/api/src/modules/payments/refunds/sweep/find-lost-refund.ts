import type { Deps } from '../../../../deps.ts';
import type { PaymentGateway } from '../../../../gateway/payment-gateway.ts';
import { backOffSeconds } from '../../../../jobs/back-off.ts';
import { areRefundsOpen } from '../../epoch/epoch.queries.ts';
import { BETWEEN_PROOFS_SECONDS, mayProve, proofBegins } from '../../listings/prove-absence.ts';
import type { Scan } from '../../listings/scan-listing.ts';
import { type Found, findTransaction } from '../../sweep/find-transaction.ts';
import { isOverdue } from '../../sweep/is-hopeless.ts';
import { DEADLINE_SECONDS, VOID_LANDS_SECONDS } from '../moves/refund-times.ts';
import { readRefunds } from '../read-refunds.ts';
import { HOUR_SECONDS, type RefundFinding, tryAgain, tryLater } from '../refund-findings.ts';
import { readSale, type SaleStanding } from '../sale-standing.ts';
import { confirmByKey, confirmVoid, storeAnswer } from './confirm-refund.ts';
import {
  type Candidate,
  extendVoid,
  type LeasedRefund,
  listCandidates,
  noteRefundAbsence,
} from './refund-leases.queries.ts';
import { countDeadline, sendVoid } from './send-refund.ts';

const RECENT_MILLISECONDS = 2_000;

/** Finds out what became of a refund whose answer was lost. Never sends a refund again. */
export async function findLostRefund(deps: Deps, refund: LeasedRefund): Promise<RefundFinding> {
  const found = await find(deps, refund);
  const isHopeless = found.event === 'try-again' && !found.isProving && isGivenUp(refund);
  return isHopeless ? { event: 'hold', heldFor: 'not-ruled-out' } : found;
}

/**
 * Whether a failure leaves the refund to a person. After an outage of a day the first one says little, so it is looked for
 * until an hour after it entered the review. A first proof of absence has as long to get its second.
 */
const isGivenUp = ({ overdueSeconds, reviewSeconds, absentSeconds }: LeasedRefund) =>
  isOverdue(overdueSeconds ?? 0) &&
  (reviewSeconds ?? 0) >= HOUR_SECONDS &&
  (absentSeconds === null || absentSeconds >= HOUR_SECONDS);

async function find(deps: Deps, refund: LeasedRefund): Promise<RefundFinding> {
  const standing = await findTransaction(deps, refund);
  const sale = readSale(standing, refund);
  if (sale.kind === 'later') return tryLater(refund, sale);
  // Ask for the refund's own record, whatever the state of the sale.
  if (refund.method === 'refund' && standing.kind === 'found') return findRefund(deps, refund, standing);
  return sale.kind === 'held' ? { event: 'hold', heldFor: sale.heldFor } : findVoid(deps, refund, sale);
}

/** A void changes the sale's own record, so sending it again is idempotent. */
async function findVoid(
  deps: Deps,
  refund: LeasedRefund,
  standing: Extract<SaleStanding, { kind: 'found' }>,
): Promise<RefundFinding> {
  const { gateway, transaction } = standing;
  switch (standing.sale) {
    case 'voided':
      return confirmVoid(transaction);
    case 'settled':
      return { event: 'batch-closed', againInSeconds: 0, waitsFor: 'settlement' };
    case 'submitted':
      return tryAgain(refund);
    case 'pending': {
      // Count from before the commit, so that no void is sent after the time in which it may land.
      const millisecondsLeft = countDeadline();
      if (!(await mayVoidAgain(deps, refund))) return tryAgain(refund);
      const { transactionKey } = transaction;
      const sent = await sendVoid(refund, { gateway, transactionKey, millisecondsLeft });
      // A refusal says nothing about the earlier void; only a settled sale rules that out.
      return sent.event === 'confirm' ? sent : tryAgain(refund);
    }
  }
}

async function mayVoidAgain({ db, env, books }: Deps, refund: LeasedRefund): Promise<boolean> {
  const { intentId, franchiseIds } = refund;
  const place = { publicUrl: env.PUBLIC_URL, intentId, franchiseIds, seen: books.newest() };
  if (!(await areRefundsOpen(db.query, place))) return false;
  return extendVoid(db.query, refund, { seconds: DEADLINE_SECONDS + VOID_LANDS_SECONDS });
}

async function findRefund(deps: Deps, refund: LeasedRefund, sale: Found): Promise<RefundFinding> {
  const { gateway } = sale;
  const { answerKey } = refund;
  if (answerKey !== null) return (await confirmByKey(refund, { gateway, answerKey })) ?? tryAgain(refund);
  const scan = await readRefunds(deps, refund, { sale, since: readSince(refund) });
  if (scan.stoppedBy === 'too-many-requests')
    return tryLater(refund, { kind: 'later', trouble: scan.stoppedBy });
  const candidates = await listCandidates(deps.db.query, refund);
  return candidates.length > 0
    ? judgeCandidates(deps, refund, { gateway, candidates })
    : judgeAbsence(deps, refund, scan);
}

/** Accepts one unowned refund of our order and amount that wasn't there before, and asks for its own record. */
async function judgeCandidates(
  deps: Deps,
  refund: LeasedRefund,
  { gateway, candidates }: { gateway: PaymentGateway; candidates: Candidate[] },
): Promise<RefundFinding> {
  const [candidate, ...others] = candidates;
  if (!candidate || others.length > 0) return { event: 'hold', heldFor: 'several-candidates' };
  if (candidate.type === 'Z') return { event: 'hold', heldFor: 'voided-there' };
  const { transactionKey } = candidate;
  await storeAnswer(deps, refund, { transactionKey, reference: '', batchKey: null });
  return (await confirmByKey(refund, { gateway, answerKey: transactionKey })) ?? tryAgain(refund);
}

/** Two complete listings, a minute apart and late enough, prove that nothing was refunded. */
async function judgeAbsence(
  deps: Deps,
  refund: LeasedRefund,
  { isComplete, beganAt, againInSeconds }: Scan,
): Promise<RefundFinding> {
  if (!isComplete) return tryAgain(refund, againInSeconds === undefined ? undefined : againInSeconds + 1);
  if (!mayProve(refund) || beganAt.getTime() < proofBegins(refund))
    return tryAgain(refund, secondsToProof(refund));
  if (refund.absentSeconds !== null) return { event: 'rule-out' };
  await noteRefundAbsence(deps.db.query, refund, beganAt);
  return { ...tryAgain(refund, BETWEEN_PROOFS_SECONDS + 1), isProving: true };
}

/** A proof cut off by the listing budget may resume an earlier reading; any other look must be current. */
function readSince(refund: LeasedRefund): Date {
  const { leasedAtMilliseconds } = refund;
  const recent = leasedAtMilliseconds - RECENT_MILLISECONDS;
  return new Date(mayProve(refund) ? Math.min(leasedAtMilliseconds, proofBegins(refund)) : recent);
}

/** The back-off, capped at the moment from which a listing counts as proof. */
function secondsToProof(refund: LeasedRefund): number {
  const seconds = (proofBegins(refund) - refund.leasedAtMilliseconds) / 1000;
  const backOff = backOffSeconds(refund.attempts);
  return seconds > 0 ? Math.min(backOff, seconds + 1) : backOff;
}
