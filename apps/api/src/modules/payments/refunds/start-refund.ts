import type { RefundMethod } from '../../../db/schema/refunds.ts';
import type { Deps } from '../../../deps.ts';
import { findTransaction } from '../sweep/find-transaction.ts';
import { decideRefund } from './decide-refund.ts';
import { isTooOld, readForSending } from './read-refunds.ts';
import { findBar, listKeysBefore } from './refund-bars.queries.ts';
import { type RefundFinding, SETTLEMENT_SECONDS, tryAgain, tryLater } from './refund-findings.ts';
import { readSale, type SaleStanding } from './sale-standing.ts';
import { type LeasedRefund, noteLook } from './sweep/refund-leases.queries.ts';
import { countDeadline, type Sale, sendRefund, sendVoid } from './sweep/send-refund.ts';

type Found = Extract<SaleStanding, { kind: 'found' }>;

/** Checks the sale and the account's list, then sends the refund if allowed. */
export async function startRefund(deps: Deps, refund: LeasedRefund): Promise<RefundFinding> {
  if (refund.chargeState === 'capture_failed') return { event: 'drop' };
  if (refund.chargeState !== 'captured') return tryAgain(refund);
  const standing = readSale(await findTransaction(deps, refund), refund);
  if (standing.kind === 'later') return tryLater(refund, standing);
  if (standing.kind === 'held') return { event: 'hold', heldFor: standing.heldFor };
  if (standing.sale === 'voided') return { event: 'hold', heldFor: 'voided-there' };
  const method = methodFor(standing, refund);
  return method ? lookAndSend(deps, refund, { standing, method }) : waitForSettlement(standing, refund);
}

/** A void takes the whole charge, so a partial refund waits for the settlement. */
function methodFor({ sale }: Found, refund: LeasedRefund): RefundMethod | null {
  if (sale === 'pending') return refund.amountCents === refund.chargeCents ? 'void' : null;
  return sale === 'settled' && voidOpenSeconds(refund) <= 0 ? 'refund' : null;
}

const voidOpenSeconds = (refund: LeasedRefund) => refund.voidOpenSeconds ?? 0;

function waitForSettlement({ sale }: Found, refund: LeasedRefund): RefundFinding {
  const seconds =
    sale === 'settled' ? Math.min(voidOpenSeconds(refund) + 1, SETTLEMENT_SECONDS) : SETTLEMENT_SECONDS;
  return { ...tryAgain(refund, seconds), waitsFor: 'settlement' };
}

async function lookAndSend(
  deps: Deps,
  refund: LeasedRefund,
  { standing, method }: { standing: Found; method: RefundMethod },
): Promise<RefundFinding> {
  const { gateway, transaction } = standing;
  const scan = await readForSending(deps, refund, { sale: standing });
  if (scan.stoppedBy === 'too-many-requests')
    return tryLater(refund, { kind: 'later', trouble: scan.stoppedBy });
  // Check what bars it now; the rest of the list doesn't change that.
  const heldFor = await findBar(deps.db.query, refund.refundId);
  if (heldFor) return { event: 'hold', heldFor };
  if (!scan.isComplete) {
    const seconds = scan.againInSeconds === undefined ? undefined : scan.againInSeconds + 1;
    return { ...tryAgain(refund, seconds), ...(scan.isDeep && { waitsFor: 'older-list' }) };
  }
  // What a long reading covered is now stored, so reading the newest rows is quick.
  if (isTooOld(refund, scan.beganAt)) return tryAgain(refund, 1);
  await noteLook(deps.db.query, refund, scan.beganAt);
  return send(deps, refund, { method, gateway, transactionKey: transaction.transactionKey });
}

async function send(
  deps: Deps,
  refund: LeasedRefund,
  { method, ...sale }: { method: RefundMethod } & Omit<Sale, 'millisecondsLeft'>,
): Promise<RefundFinding> {
  const { intentId, refundId, fence } = refund;
  // Count from before the commit, so that we stop no later than the database's deadline.
  const millisecondsLeft = countDeadline();
  const decided = await decideRefund(deps, {
    intentId,
    decision: { event: 'send', refundId, fence, method },
  });
  if (decided.result === 'barred' && decided.heldFor) return { event: 'hold', heldFor: decided.heldFor };
  if (decided.result !== 'applied') return tryAgain(refund);
  if (method === 'void') return sendVoid(refund, { ...sale, millisecondsLeft });
  const beforeKeys = await listKeysBefore(deps.db.query, refundId);
  return sendRefund(deps, refund, { ...sale, millisecondsLeft, beforeKeys });
}
