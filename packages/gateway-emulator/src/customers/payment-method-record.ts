import type { Call } from '../call.ts';
import { textOf } from '../cards/resolve-card.ts';
import type { Card, PaymentMethod } from '../ledger/records.ts';
import { newPaymentMethodKey } from '../merchants/keys.ts';

/** The customer's methods in sort order. */
export function paymentMethodsOf(call: Call, customerKey: string): PaymentMethod[] {
  return call.ledger
    .all('paymentMethods')
    .filter((method) => method.customerKey === customerKey)
    .sort((one, other) => Number(one.sortord) - Number(other.sortord));
}

export function newPaymentMethod(
  call: Call,
  customerKey: string,
  card: Card,
  sent: Record<string, unknown>,
): PaymentMethod {
  const others = paymentMethodsOf(call, customerKey);
  return {
    key: newPaymentMethodKey(),
    customerKey,
    methodName: textOf(sent.method_name),
    sortord: textOf(sent.sortord) || String(others.length + 1),
    card,
    isDefault: sent.default === true || others.length === 0,
    addedAt: call.now,
    updatedAt: call.now,
  };
}
