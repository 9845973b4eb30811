import type { Deps } from '../../deps.ts';
import { type PaymentMethodRow, selectPaymentMethods } from './payment-methods.queries.ts';

/** A user's saved cards, the oldest first. */
export function listPaymentMethods(deps: Deps, { userId }: { userId: string }): Promise<PaymentMethodRow[]> {
  return selectPaymentMethods(deps.db.query, userId);
}
