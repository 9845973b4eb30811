import type { Deps } from '../src/deps.ts';
import type { PaymentGateway } from '../src/gateway/payment-gateway.ts';

/**
 * The parts of a portal, and where each page of the provider's lists began that was asked for with them. The portal's
 * own counts begin anew with each minute and day.
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
    // One each: those who ask the same gateway share what was read.
    const known = counted.get(gateway) ?? count(gateway);
    counted.set(gateway, known);
    return known;
  };
  return { deps: { ...deps, gateways: { ...deps.gateways, of } }, pages };
}
