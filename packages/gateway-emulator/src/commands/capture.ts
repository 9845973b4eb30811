import { openBatch } from '../batches.ts';
import type { Call, Plan } from '../call.ts';
import { outcomeOf } from '../cards/test-cards.ts';
import { isApproved, type Transaction } from '../ledger/records.ts';
import { newAuthcode } from '../merchants/keys.ts';
import { centsOf } from '../transactions/dollars.ts';
import { transactionError } from '../transactions/refusal.ts';
import { hasExpired } from '../transactions/status-view.ts';
import { captureAnswer } from '../transactions/transaction-view.ts';
import { findOriginal } from './find-original.ts';

/** What a capture does with an expired authorization. */
export type OnExpired = 'error' | 'reauthorize' | 'override';

/** Answers a second capture: approved and unchanged, whatever amount was sent. */
function capturedAgain(call: Call, captured: Transaction): Plan {
  const batch = call.ledger.get('batches', captured.batchKey ?? '');
  return { status: 200, body: captureAnswer(captured, batch), changes: [] };
}

/** Puts an authorization into the open batch, for its full amount or less. */
export function capture(call: Call, onExpired: OnExpired): Plan {
  const original = findOriginal(call);
  if (!original) return transactionError(10105);
  if (original.status === 'S') return transactionError(10126);
  if (original.type === 'L' && call.switches.secondCapture === 'approved')
    return capturedAgain(call, original);
  if (original.type !== 'A') return transactionError(10124);
  if (!isApproved(original)) return transactionError(10125);
  const isOver = hasExpired(original, call.now);
  if (isOver && onExpired === 'error') return transactionError(10142);
  const cents = call.body.amount === undefined ? original.amountCents : centsOf(call.body.amount);
  if (cents === undefined || cents <= 0) return transactionError(33);
  if (cents > original.amountCents) return transactionError(10133);
  const decline = outcomeOf(original.card.number).decline;
  if (isOver && onExpired === 'reauthorize' && decline !== undefined) return transactionError(decline);
  const { batch, changes } = openBatch(call);
  const captured: Transaction = {
    ...original,
    type: 'L',
    amountCents: cents,
    batchKey: batch.key,
    ...(isOver && onExpired === 'reauthorize' ? { authcode: newAuthcode() } : {}),
  };
  return {
    status: 200,
    body: captureAnswer(captured, batch),
    changes: [...changes, { table: 'transactions', put: captured }],
    notices: [{ event: 'transaction.sale.captured', transaction: captured }],
  };
}
