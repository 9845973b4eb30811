import type { Deps } from '../../../../deps.ts';
import type { NotDone, PaymentGateway, VoidOutcome } from '../../../../gateway/payment-gateway.ts';
import { backOffSeconds } from '../../../../jobs/back-off.ts';
import { DEADLINE_SECONDS } from '../moves/refund-times.ts';
import {
  HOUR_SECONDS,
  lost,
  REST_SECONDS,
  type RefundFinding,
  SETTLEMENT_SECONDS,
} from '../refund-findings.ts';
import { confirmByKey, confirmVoid, storeAnswer } from './confirm-refund.ts';
import type { LeasedRefund } from './refund-leases.queries.ts';

const MOST_MILLISECONDS = 20_000;
const LEAST_MILLISECONDS = 5_000;

/**
 * Returns how much of a row's deadline is left for a call. Checked again before the first byte, as the process may have
 * slept since its commit; with too little left nothing is sent.
 */
export function countDeadline(now: () => number = () => performance.now()): () => number {
  const deadline = now() + DEADLINE_SECONDS * 1000;
  return () => {
    const left = deadline - now();
    return left < LEAST_MILLISECONDS ? 0 : Math.min(left, MOST_MILLISECONDS);
  };
}

export type Sale = { gateway: PaymentGateway; transactionKey: string; millisecondsLeft: () => number };

/** Voids the whole sale, then asks for the provider's record of it. */
export async function sendVoid(refund: LeasedRefund, sale: Sale): Promise<RefundFinding> {
  const { gateway, transactionKey, millisecondsLeft } = sale;
  const released = await gateway.void({ transactionKey, millisecondsLeft, releases: true });
  if (released.kind !== 'not-releasable') return readVoid(refund, sale, released);
  const standing = await readVoidedSale(refund, sale);
  if (standing === 'pending')
    return readVoid(refund, sale, await gateway.void({ transactionKey, millisecondsLeft, releases: false }));
  if (standing === 'other') return closed(refund);
  return standing;
}

async function readVoid(refund: LeasedRefund, sale: Sale, outcome: VoidOutcome): Promise<RefundFinding> {
  switch (outcome.kind) {
    case 'too-late':
      return closed(refund);
    case 'answered': {
      const standing = await readVoidedSale(refund, sale);
      return typeof standing === 'string' ? lost(refund) : standing;
    }
    case 'unknown':
    case 'not-releasable':
      return lost(refund);
    default:
      return notDone(refund, outcome);
  }
}

/** What the sale's own record shows: voided, unknown, or its state otherwise. */
async function readVoidedSale(
  refund: LeasedRefund,
  { gateway, transactionKey }: Sale,
): Promise<RefundFinding | 'pending' | 'other'> {
  const found = await gateway.find({ transactionKey });
  if (found.kind !== 'found' || found.transaction.orderId !== refund.orderId) return lost(refund);
  const { transaction } = found;
  if (transaction.state === 'voided') return confirmVoid(transaction);
  return transaction.status === 'P' ? 'pending' : 'other';
}

const closed = (refund: LeasedRefund) =>
  ({
    event: 'batch-closed',
    againInSeconds: backOffSeconds(refund.attempts),
    waitsFor: 'settlement',
  }) as const;

/** Refunds a settled sale. Stores the answer's key before asking anything else. */
export async function sendRefund(
  deps: Deps,
  refund: LeasedRefund,
  { gateway, ...sale }: Sale & { beforeKeys: string[] },
): Promise<RefundFinding> {
  const { transactionKey, millisecondsLeft, beforeKeys } = sale;
  const { amountCents, mark } = refund;
  const outcome = await gateway.refund({ transactionKey, millisecondsLeft, amountCents, clerk: mark });
  switch (outcome.kind) {
    case 'approved': {
      if (beforeKeys.includes(outcome.transactionKey)) return lost(refund);
      await storeAnswer(deps, refund, outcome);
      const confirmed = await confirmByKey(refund, { gateway, answerKey: outcome.transactionKey });
      // For any other record, look once more as if there had been no answer.
      return confirmed?.event === 'confirm' ? confirmed : lost(refund);
    }
    case 'refused':
      return { event: 'refuse', words: outcome.sentence };
    case 'unsettled':
      return { event: 'not-executed', againInSeconds: SETTLEMENT_SECONDS, waitsFor: 'settlement' };
    case 'unknown':
      return lost(refund);
    default:
      return notDone(refund, outcome);
  }
}

/** Nothing was executed, so the refund waits to be sent again. */
function notDone(refund: LeasedRefund, outcome: NotDone): RefundFinding {
  const event = 'not-executed';
  if (outcome.kind === 'not-allowed')
    return { event, againInSeconds: HOUR_SECONDS, waitsFor: 'keys', alert: 'refunds are not allowed' };
  if (outcome.kind === 'not-sent') return { event, againInSeconds: backOffSeconds(refund.attempts) };
  if (outcome.status === 429) return { event, againInSeconds: REST_SECONDS, isTooMany: true };
  return { event, againInSeconds: backOffSeconds(refund.attempts), waitsFor: 'keys', alert: KEYS_REFUSED };
}

export const KEYS_REFUSED = 'merchant-keys-refused';
