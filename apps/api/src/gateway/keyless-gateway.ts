import type { PaymentGateway } from './payment-gateway.ts';

const REFUSED = { kind: 'not-executed', status: 401 } as const;

/** An account whose keys we cannot read: nothing is sent, and everything reads as if the keys were refused. */
export const KEYLESS_GATEWAY: PaymentGateway = {
  authorise: async () => REFUSED,
  capture: async () => REFUSED,
  release: async () => REFUSED,
  void: async () => REFUSED,
  refund: async () => REFUSED,
  find: async () => REFUSED,
  list: async () => REFUSED,
  makeCardToken: async () => null,
};
