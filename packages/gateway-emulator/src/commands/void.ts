import { batchOf } from '../batches.ts';
import type { Call, Plan } from '../call.ts';
import type { Change } from '../ledger/ledger.ts';
import type { Transaction } from '../ledger/records.ts';
import { transactionError } from '../transactions/refusal.ts';
import { hasExpired, isSubmitted } from '../transactions/status-view.ts';
import { changeAnswer } from '../transactions/transaction-view.ts';
import { findOriginal } from './find-original.ts';

/** The error code that prevents a void, or undefined. */
export function voidError(call: Call, original: Transaction | undefined): number | undefined {
  if (!original) return 35;
  if (call.merchant.pin === '') return 84;
  if (original.status === 'V') return 24;
  if (original.status === 'S') return call.switches.voidSettledCode;
  if (original.result === 'D' || original.result === 'E') return 83;
  const { voidExpiredCode } = call.switches;
  if (voidExpiredCode !== 0 && hasExpired(original, call.now)) return voidExpiredCode;
  const batch = batchOf(call, original);
  if (isSubmitted(original, batch, call.switches)) return 117;
  return batch?.status === 'closing' ? 101 : undefined;
}

/** The error code that prevents releasing the funds, or undefined. */
function releaseError(call: Call, original: Transaction): number | undefined {
  const { releaseRefused } = call.switches;
  if (original.status === 'S' && releaseRefused !== 'never') return 118;
  const isCaptured = original.type === 'L' || original.type === 'S';
  const isRefused = releaseRefused === 'always' || (releaseRefused === 'captured' && isCaptured);
  const errorCode = voidError(call, original);
  return errorCode === undefined && isRefused ? 118 : errorCode;
}

export function voidedPlan(original: Transaction, releases: boolean): Plan {
  const isRefund = original.type === 'C';
  const voided: Transaction = {
    ...original,
    type: isRefund ? 'Z' : 'V',
    typeBeforeVoid: original.type,
    status: 'V',
    ...(releases ? { isReleased: true } : {}),
  };
  return {
    status: 200,
    body: changeAnswer(voided),
    changes: [{ table: 'transactions', put: voided }],
    notices: [
      { event: isRefund ? 'transaction.refund.voided' : 'transaction.sale.voided', transaction: voided },
    ],
  };
}

/** Updates the sale's refunded amount when a refund is made or voided. */
function refundedChange(call: Call, refund: Transaction, cents: number): Change[] {
  const sale = call.ledger.get('transactions', refund.originalKey ?? '');
  if (!sale) return [];
  return [{ table: 'transactions', put: { ...sale, refundedCents: sale.refundedCents + cents } }];
}

/** Voids an unsettled transaction in place: its key and reference number stay. */
export function voidTransaction(call: Call, { releases }: { releases: boolean }): Plan {
  const original = findOriginal(call);
  const errorCode = original && releases ? releaseError(call, original) : voidError(call, original);
  if (original === undefined || errorCode !== undefined) return transactionError(errorCode ?? 35);
  const plan = voidedPlan(original, releases);
  if (original.type === 'C') plan.changes.push(...refundedChange(call, original, -original.amountCents));
  return plan;
}

/** Undoes a void while the batch is open. */
export function unvoid(call: Call): Plan {
  const original = findOriginal(call);
  if (!original) return transactionError(35);
  if (original.status !== 'V' || original.typeBeforeVoid === undefined) return transactionError(102);
  const batch = batchOf(call, original);
  if (batch && batch.status !== 'open') return transactionError(26);
  if (original.isReleased) return transactionError(118);
  const restored: Transaction = { ...original, type: original.typeBeforeVoid, status: 'P' };
  delete restored.typeBeforeVoid;
  return {
    status: 200,
    body: changeAnswer(restored),
    changes: [
      { table: 'transactions', put: restored },
      ...(restored.type === 'C' ? refundedChange(call, restored, restored.amountCents) : []),
    ],
    notices: [{ event: 'transaction.sale.unvoided', transaction: restored }],
  };
}
