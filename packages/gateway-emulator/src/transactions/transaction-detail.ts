import { avsVerification, cvcVerification } from '../cards/verification-texts.ts';
import type { Batch, Transaction } from '../ledger/records.ts';
import { merchantTime } from '../merchants/merchant-time.ts';
import type { Switches } from '../switches.ts';
import { dollarsOf } from './dollars.ts';
import { lineItemsView } from './line-items.ts';
import { statusView } from './status-view.ts';
import { batchView, cardView, errorView, RESULT_WORDS } from './transaction-view.ts';

function availableActions(transaction: Transaction): string[] {
  if (transaction.result !== 'A' && transaction.result !== 'P') return [];
  if (transaction.status === 'V') return ['unvoid', 'quicksale'];
  if (transaction.type === 'A') return ['capture', 'void', 'void:release', 'quicksale'];
  if (transaction.status === 'S')
    return transaction.type === 'C' ? [] : ['refund', 'quickrefund', 'quicksale'];
  return ['void', 'void:release', 'quicksale'];
}

/** Requests have `firstname`, answers `first_name`. */
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

/** A transaction as GET shows it: never with a `savedcard`, `is_duplicate`, `auth_amount` or the payer's email. */
export function transactionDetail(
  transaction: Transaction,
  { batch, now, switches }: { batch: Batch | undefined; now: number; switches: Switches },
): Record<string, unknown> {
  const { key, refnum, result, authcode, card, fields } = transaction;
  const amount = dollarsOf(transaction.amountCents);
  const zero = '0.00';
  const text = (name: string): unknown => fields[name] ?? '';
  return {
    type: 'transaction',
    key,
    refnum,
    result_code: result,
    result: RESULT_WORDS[result],
    authcode,
    created: merchantTime(transaction.createdAt, switches.timeZone),
    ...statusView(transaction, { batch, now, switches }),
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
    merchant_email: text('merchemailaddr'),
    clientip: text('clientip'),
    source_name: transaction.merchant,
    billing_address: addressView(fields.billing_address),
    shipping_address: addressView(fields.shipping_address),
    lineitems: lineItemsView(fields.lineitems),
    custom_fields: fields.custom_fields ?? {},
    platform: { name: 'Test Bed' },
    available_actions: availableActions(transaction),
  };
}
