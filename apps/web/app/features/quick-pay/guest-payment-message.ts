import { INVOICE_NOT_FOUND } from '../invoice-search/search-messages.ts';
import { type PaymentRefusal, paymentMessage } from '../payments/payment-messages.ts';

/** Spec section 8, guest payment. */
export function guestPaymentMessage(refusal: PaymentRefusal): string {
  return refusal.status === 404 ? INVOICE_NOT_FOUND : paymentMessage(refusal);
}
