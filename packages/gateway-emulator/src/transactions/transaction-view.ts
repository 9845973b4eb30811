import { brandOf, maskedNumber } from '../cards/card-number.ts';
import { outcomeOf } from '../cards/test-cards.ts';
import { avsVerification, cvcVerification } from '../cards/verification-texts.ts';
import { type Batch, isApproved, type Transaction } from '../ledger/records.ts';
import type { Switches } from '../switches.ts';
import { dollarsOf } from './dollars.ts';
import { typeWords } from './status-view.ts';

export const RESULT_WORDS = {
  A: 'Approved',
  P: 'Partial Approval',
  D: 'Declined',
  E: 'Error',
  V: 'Verification Required',
} as const;

export function batchView(batch: Batch, batchrefnum: number | string): Record<string, unknown> {
  return { type: 'batch', key: batch.key, batchrefnum, sequence: String(batch.sequence) };
}

function identity(transaction: Transaction): Record<string, unknown> {
  const { key, refnum, result, authcode } = transaction;
  return {
    type: 'transaction',
    key,
    refnum,
    is_duplicate: 'N',
    result_code: result,
    result: RESULT_WORDS[result],
    authcode,
  };
}

/** The code is a string on declines and a number on the gateway's own errors. */
export function errorView(transaction: Transaction): Record<string, unknown> {
  const { error, errorCode, result } = transaction;
  return {
    ...(error === undefined ? {} : { error }),
    ...(errorCode === undefined ? {} : { error_code: result === 'D' ? String(errorCode) : errorCode }),
  };
}

export function cardView(transaction: Transaction): Record<string, unknown> {
  const { card } = transaction;
  return {
    type: brandOf(card.number)?.letter ?? 'V',
    number: maskedNumber(card.number),
    ...(card.cardholder === '' ? {} : { cardholder: card.cardholder }),
    category_code: outcomeOf(card.number).categoryCode ?? 'A',
    entry_mode: 'Card Not Present, Manually Keyed',
  };
}

/** The amount held, charged or refunded; 0 after a decline. */
export function amountHeld(transaction: Transaction): string {
  return isApproved(transaction) ? dollarsOf(transaction.amountCents) : '0.00';
}

function sent(transaction: Transaction, names: string[]): Record<string, unknown> {
  return Object.fromEntries(
    names
      .filter((name) => transaction.fields[name] !== undefined)
      .map((name) => [name, transaction.fields[name]]),
  );
}

/** The answer to a charge. It doesn't include the order id; only GET shows that. */
export function chargeAnswer(transaction: Transaction, batch: Batch | undefined): Record<string, unknown> {
  return {
    ...identity(transaction),
    creditcard: cardView(transaction),
    ...sent(transaction, ['invoice']),
    avs: avsVerification(transaction.avs),
    cvc: cvcVerification(transaction.cvc),
    ...(batch ? { batch: batchView(batch, batch.batchrefnum) } : {}),
    ...(isApproved(transaction) ? { auth_amount: amountHeld(transaction) } : {}),
    ...sent(transaction, ['amount_detail']),
    trantype: typeWords(transaction),
    ...errorView(transaction),
  };
}

export function refundAnswer(
  transaction: Transaction,
  batch: Batch,
  { refundAnswersAmount }: Switches,
): Record<string, unknown> {
  return {
    ...identity(transaction),
    creditcard: cardView(transaction),
    ...sent(transaction, ['invoice']),
    avs: avsVerification('   '),
    batch: batchView(batch, batch.batchrefnum),
    ...(refundAnswersAmount && isApproved(transaction) ? { auth_amount: amountHeld(transaction) } : {}),
    trantype: typeWords(transaction),
    ...errorView(transaction),
  };
}

/** The answer to a void, a release or an unvoid: little more than the transaction's key. */
export function changeAnswer(transaction: Transaction): Record<string, unknown> {
  return { ...identity(transaction), result_code: 'A', result: RESULT_WORDS.A };
}

/** The answer to a capture or an adjustment, which adds batch and amount. */
export function captureAnswer(transaction: Transaction, batch: Batch | undefined): Record<string, unknown> {
  return {
    ...changeAnswer(transaction),
    ...sent(transaction, ['invoice']),
    ...(batch ? { batch: batchView(batch, batch.batchrefnum) } : {}),
    auth_amount: dollarsOf(transaction.amountCents),
  };
}
