import type { Call, Plan } from '../call.ts';
import type { Transaction } from '../ledger/records.ts';
import { centsOf } from '../transactions/dollars.ts';
import { transactionError } from '../transactions/refusal.ts';
import { captureAnswer } from '../transactions/transaction-view.ts';
import { amountError } from './charge-card.ts';
import { findOriginal } from './find-original.ts';
import { refund } from './refund.ts';
import { voidError } from './void.ts';

function adjustedPlan(call: Call, original: Transaction, cents: number): Plan {
  const adjusted: Transaction = { ...original, amountCents: cents };
  const batch = call.ledger.get('batches', adjusted.batchKey ?? '');
  return {
    status: 200,
    body: captureAnswer(adjusted, batch),
    changes: [{ table: 'transactions', put: adjusted }],
    notices: [{ event: 'transaction.sale.adjusted', transaction: adjusted }],
  };
}

/** Changes the amount of an unsettled sale. */
export function adjust(call: Call): Plan {
  const original = findOriginal(call);
  const errorCode = voidError(call, original);
  if (original === undefined || errorCode !== undefined)
    return transactionError(original?.status === 'S' ? 103 : (errorCode ?? 35));
  const cents = centsOf(call.body.amount);
  const amountProblem = amountError(cents);
  if (cents === undefined || amountProblem !== undefined) return transactionError(amountProblem ?? 33);
  return adjustedPlan(call, original, cents);
}

/** Takes `amount` off an unsettled sale, or refunds it from a settled one. */
export function refundAdjust(call: Call): Plan {
  const original = findOriginal(call);
  if (original?.status === 'S') return refund(call, true);
  const errorCode = voidError(call, original);
  if (original === undefined || errorCode !== undefined) return transactionError(errorCode ?? 35);
  const cents = centsOf(call.body.amount);
  if (cents === undefined || cents <= 0) return transactionError(33);
  if (cents >= original.amountCents) return transactionError(10133);
  return adjustedPlan(call, original, original.amountCents - cents);
}
