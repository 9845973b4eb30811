import { KEYLESS_GATEWAY } from './keyless-gateway.ts';
import type { PaymentGateway } from './payment-gateway.ts';

/** The same gateway; a call that may not be made is answered as if the provider refused the keys. */
export function withholdCalls(gateway: PaymentGateway, mayCall: () => boolean): PaymentGateway {
  const now = () => (mayCall() ? gateway : KEYLESS_GATEWAY);
  return {
    authorize: (request) => now().authorize(request),
    capture: (hold) => now().capture(hold),
    release: (hold) => now().release(hold),
    void: (sale) => now().void(sale),
    refund: (sale) => now().refund(sale),
    find: (transaction) => now().find(transaction),
    list: (page) => now().list(page),
    makeCardToken: (transaction) => now().makeCardToken(transaction),
  };
}
