import type { Call, Plan } from '../call.ts';
import { textOf } from '../cards/resolve-card.ts';
import { paymentMethodsOf } from '../customers/payment-method-record.ts';
import type { PaymentMethod } from '../ledger/records.ts';
import { centsOf } from '../transactions/dollars.ts';
import { transactionError } from '../transactions/refusal.ts';
import { amountError, chargeCard } from './charge-card.ts';
import { refundPlan } from './refund.ts';

type FoundMethod = { ok: true; method: PaymentMethod } | { ok: false; errorCode: number };

/** The customer's payment method that the call names, or the default one. */
function findMethod(call: Call): FoundMethod {
  const customer = call.ledger.get('customers', textOf(call.body.custkey));
  if (customer?.merchant !== call.merchant.name) return { ok: false, errorCode: 40030 };
  const methods = paymentMethodsOf(call, customer.key);
  const wanted = textOf(call.body.paymethod_key);
  const method =
    wanted === ''
      ? (methods.find(({ isDefault }) => isDefault) ?? methods[0])
      : methods.find(({ key }) => key === wanted);
  if (!method) return { ok: false, errorCode: wanted === '' ? 40457 : 40453 };
  return { ok: true, method };
}

/** Charges a customer's stored method. */
export function chargeCustomer(call: Call): Plan {
  const found = findMethod(call);
  if (!found.ok) return transactionError(found.errorCode);
  return chargeCard(call, 'S', { ok: true, card: found.method.card, cvc: 'P' });
}

/** Sends money to a customer's stored method. */
export function refundCustomer(call: Call): Plan {
  const found = findMethod(call);
  if (!found.ok) return transactionError(found.errorCode);
  if (call.merchant.pin === '') return transactionError(84);
  const cents = centsOf(call.body.amount);
  const amountProblem = amountError(cents);
  if (cents === undefined || amountProblem !== undefined) return transactionError(amountProblem ?? 33);
  return refundPlan(call, found.method.card, cents);
}
