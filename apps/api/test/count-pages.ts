import type { Deps } from '../src/deps.ts';
import type { PaymentGateway } from '../src/gateway/payment-gateway.ts';

/**
 * A portal's dependencies, with a record of where each requested page of the provider's lists began. The portal's own
 * counters start over every minute and every day.
 */
export function countPages(deps: Deps): { deps: Deps; pages: number[] } {
  const pages: number[] = [];
  const counted = new Map<PaymentGateway, PaymentGateway>();
  const count = (gateway: PaymentGateway): PaymentGateway => ({
    ...gateway,
    list: (page) => {
      pages.push(page.offset);
      return gateway.list(page);
    },
  });
  const of: Deps['gateways']['of'] = (keys) => {
    const gateway = deps.gateways.of(keys);
    // One per gateway: callers that share a gateway share what was read.
    const known = counted.get(gateway) ?? count(gateway);
    counted.set(gateway, known);
    return known;
  };
  return { deps: { ...deps, gateways: { ...deps.gateways, of } }, pages };
}
