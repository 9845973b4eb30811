import { brandOf, maskedNumber } from './cards/card-number.ts';
import { outcomeOf } from './cards/test-cards.ts';
import { avsVerification, cvcVerification } from './cards/verification-texts.ts';
import { dollarsOf } from './dollars.ts';
import type { Batch, StatusCode, Transaction, TypeCode } from './ledger/records.ts';
import { merchantTime } from './merchant-time.ts';

export const RESULT_WORDS = {
  A: 'Approved',
  P: 'Partial Approval',
  D: 'Declined',
  E: 'Error',
  V: 'Verification Required',
} as const;

const TYPE_WORDS: Record<TypeCode, string> = {
  S: 'Credit Card Sale',
  A: 'Auth Only',
  L: 'Captured Auth',
  C: 'Credit Card Refund (Credit)',
  V: 'Voided Credit Card Sale',
  Z: 'Voided Credit Card Refund',
};

const STATUS_WORDS: Record<StatusCode, string> = {
  P: 'Authorized (Pending Settlement)',
  S: 'Settled',
  V: 'Voided',
  E: 'Declined or in error',
  M: 'Held for approval',
  T: 'Authorization Expired',
};

function batchView(batch: Batch, batchrefnum: number | string): Record<string, unknown> {
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

function errorView(transaction: Transaction): Record<string, unknown> {
  const { error, errorCode } = transaction;
  return {
    ...(error === undefined ? {} : { error }),
    ...(errorCode === undefined ? {} : { error_code: errorCode }),
  };
}

function cardView(transaction: Transaction): Record<string, unknown> {
  const { card } = transaction;
  return {
    type: brandOf(card.number)?.letter ?? 'V',
    number: maskedNumber(card.number),
    ...(card.cardholder === '' ? {} : { cardholder: card.cardholder }),
    category_code: outcomeOf(card.number).categoryCode ?? 'A',
    entry_mode: 'Card Not Present, Manually Keyed',
  };
}

function sent(transaction: Transaction, names: string[]): Record<string, unknown> {
  return Object.fromEntries(
    names
      .filter((name) => transaction.fields[name] !== undefined)
      .map((name) => [name, transaction.fields[name]]),
  );
}

/** The answer to a charge. The order id is not echoed; only GET shows it. */
export function chargeAnswer(transaction: Transaction, batch: Batch | undefined): Record<string, unknown> {
  return {
    ...identity(transaction),
    creditcard: cardView(transaction),
    ...sent(transaction, ['invoice']),
    avs: avsVerification(transaction.avs),
    cvc: cvcVerification(transaction.cvc),
    ...(batch ? { batch: batchView(batch, batch.batchrefnum) } : {}),
    ...(transaction.result === 'A' || transaction.result === 'P'
      ? { auth_amount: dollarsOf(transaction.amountCents) }
      : {}),
    ...sent(transaction, ['amount_detail']),
    trantype: TYPE_WORDS[transaction.type],
    ...errorView(transaction),
  };
}

export function refundAnswer(transaction: Transaction, batch: Batch): Record<string, unknown> {
  return {
    ...identity(transaction),
    creditcard: cardView(transaction),
    ...sent(transaction, ['invoice']),
    avs: avsVerification('   '),
    batch: batchView(batch, batch.batchrefnum),
    auth_amount: dollarsOf(transaction.amountCents),
    trantype: TYPE_WORDS[transaction.type],
  };
}

/** A void, a release or an unvoid answers with little more than the key of the transaction it changed. */
export function changeAnswer(transaction: Transaction): Record<string, unknown> {
  return { ...identity(transaction), result_code: 'A', result: RESULT_WORDS.A };
}

/** A capture or an adjustment also tells batch and amount. */
export function captureAnswer(transaction: Transaction, batch: Batch | undefined): Record<string, unknown> {
  return {
    ...changeAnswer(transaction),
    ...sent(transaction, ['invoice']),
    ...(batch ? { batch: batchView(batch, batch.batchrefnum) } : {}),
    auth_amount: dollarsOf(transaction.amountCents),
  };
}

function availableActions(transaction: Transaction): string[] {
  if (transaction.result !== 'A' && transaction.result !== 'P') return [];
  if (transaction.status === 'V') return ['unvoid', 'quicksale'];
  if (transaction.type === 'A') return ['capture', 'void', 'void:release', 'quicksale'];
  if (transaction.status === 'S')
    return transaction.type === 'C' ? [] : ['refund', 'quickrefund', 'quicksale'];
  return ['void', 'void:release', 'quicksale'];
}

/** The status of this moment: an authorisation that nobody captured runs out. */
export function statusAt(transaction: Transaction, now: number): StatusCode {
  const { type, status, expiresAt } = transaction;
  return type === 'A' && status === 'P' && expiresAt !== undefined && expiresAt <= now ? 'T' : status;
}

/** A transaction as GET and the list show it: more than the answer to the charge, and never `savedcard`. */
export function transactionDetail(
  transaction: Transaction,
  batch: Batch | undefined,
  now: number,
  timeZone: string,
): Record<string, unknown> {
  const status = statusAt(transaction, now);
  const { card, fields } = transaction;
  const amount = dollarsOf(transaction.amountCents);
  const zero = '0.00';
  const text = (name: string): unknown => fields[name] ?? '';
  return {
    ...identity(transaction),
    created: merchantTime(transaction.createdAt, timeZone),
    trantype_code: transaction.type,
    trantype: TYPE_WORDS[transaction.type],
    status_code: status,
    status: STATUS_WORDS[status],
    ...errorView(transaction),
    creditcard: {
      ...cardView(transaction),
      cardholder: card.cardholder,
      avs_street: card.avsStreet,
      avs_postalcode: card.avsZip,
    },
    avs: avsVerification(transaction.avs),
    cvc: cvcVerification(transaction.cvc),
    ...(batch ? { batch: batchView(batch, String(batch.batchrefnum)) } : {}),
    amount,
    auth_amount: transaction.result === 'A' || transaction.result === 'P' ? amount : zero,
    amount_detail: {
      tip: zero,
      tax: zero,
      shipping: zero,
      discount: zero,
      subtotal: amount,
      ...(fields.amount_detail as object | undefined),
    },
    ponum: text('ponum'),
    invoice: text('invoice'),
    orderid: text('orderid'),
    description: text('description'),
    comments: text('comments'),
    clerk: text('clerk'),
    terminal: text('terminal'),
    cust_key: transaction.customerKey ?? '',
    custid: text('custid'),
    customerid: fields.customerid ?? fields.custid ?? '',
    customer_email: text('email'),
    merchant_email: text('merchemailaddr'),
    clientip: text('clientip'),
    source_name: transaction.merchant,
    billing_address: addressView(fields.billing_address),
    shipping_address: addressView(fields.shipping_address),
    lineitems: fields.lineitems ?? [],
    custom_fields: fields.custom_fields ?? {},
    platform: { name: 'Test Bed' },
    available_actions: availableActions({ ...transaction, status }),
  };
}

/** Requests say `firstname`, answers say `first_name`. */
function addressView(address: unknown): Record<string, unknown> {
  const { firstname = '', lastname = '', ...rest } = (address ?? {}) as Record<string, unknown>;
  const blank = {
    company: '',
    street: '',
    street2: '',
    city: '',
    state: '',
    postalcode: '',
    country: '',
    phone: '',
  };
  return { ...blank, first_name: firstname, last_name: lastname, ...rest };
}
