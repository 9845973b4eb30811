import { INVOICE_NOT_FOUND } from '../invoice-search/search-messages.ts';
import { type PaymentRefusal, paymentMessage } from '../payments/payment-messages.ts';

/** Spec section 8, guest payment. */
export function guestPaymentMessage({ status, detail }: PaymentRefusal): string {
  return status === 404 ? INVOICE_NOT_FOUND : paymentMessage({ status, detail });
}
