import type { Call } from '../call.ts';
import { textOf } from '../cards/resolve-card.ts';
import { newCustomer } from '../customers/customer-record.ts';
import { newPaymentMethod } from '../customers/payment-method-record.ts';
import type { Change } from '../ledger/ledger.ts';
import type { Transaction } from '../ledger/records.ts';

/** Handles `save_customer` and `save_customer_paymethod` of an approved charge. */
export function saveCustomer(
  call: Call,
  transaction: Transaction,
): { changes: Change[]; customer?: { custkey: string; paymethod_key?: string } } {
  const { body } = call;
  const isNew = body.save_customer === true;
  if (!isNew && body.save_customer_paymethod !== true) return { changes: [] };
  const billing = (body.billing_address ?? {}) as Record<string, unknown>;
  const existing = call.ledger.get('customers', textOf(body.custkey));
  const customer = isNew
    ? newCustomer(call, { ...billing, first_name: billing.firstname, last_name: billing.lastname })
    : existing;
  if (customer?.merchant !== call.merchant.name) return { changes: [] };
  const changes: Change[] = isNew ? [{ table: 'customers', put: customer }] : [];
  if (body.save_customer_paymethod !== true) return { changes, customer: { custkey: customer.key } };
  const method = newPaymentMethod(call, customer.key, transaction.card, {});
  changes.push({ table: 'paymentMethods', put: method });
  return { changes, customer: { custkey: customer.key, paymethod_key: method.key } };
}
