import type { Gateways, MerchantKeys, PaymentGateway } from '../src/gateway/payment-gateway.ts';

/** The same gateways, where every call of this kind goes through `around`, which makes it by `send`. */
export function aroundCalls(
  gateways: Gateways,
  call: keyof PaymentGateway,
  around: (send: () => Promise<unknown>, account: MerchantKeys) => Promise<unknown>,
): Gateways {
  return {
    ...gateways,
    of(account) {
      const gateway = gateways.of(account);
      const send = gateway[call] as (request: unknown) => Promise<unknown>;
      return { ...gateway, [call]: (request: unknown) => around(() => send(request), account) };
    },
  };
}
