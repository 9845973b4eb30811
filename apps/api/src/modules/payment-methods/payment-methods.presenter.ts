import type { PaymentMethod } from '@brightpane/contract/customers/payment-methods';
import { isCardExpired } from './is-card-expired.ts';
import type { ListedCard } from './list-payment-methods.ts';

export function presentPaymentMethod(row: ListedCard, now: Date): PaymentMethod {
  return {
    id: row.id,
    maskedCard: row.maskedCard,
    brand: row.brand,
    expires: row.expiresMonth?.slice(0, 7) ?? null,
    expired: isCardExpired(row.expiresMonth, now),
    addAgain: !row.isReadable,
  };
}
