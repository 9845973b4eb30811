import { INVOICE_NOT_FOUND } from '../invoice-search/search-messages.ts';
import { type PaymentRefusal, paymentMessage } from '../payments/payment-messages.ts';

/** What a guest reads when a payment is refused. 404 means that the three numbers found no invoice. */
export function guestPaymentMessage(refusal: PaymentRefusal): string {
  return refusal.status === 404 ? INVOICE_NOT_FOUND : paymentMessage(refusal);
}
