import type { PaymentGateway } from './payment-gateway.ts';

const REFUSED = { kind: 'not-executed', status: 401 } as const;

/** For an account with unreadable keys: sends nothing, and answers as if the provider refused the keys. */
export const KEYLESS_GATEWAY: PaymentGateway = {
  authorize: async () => REFUSED,
  capture: async () => REFUSED,
  release: async () => REFUSED,
  void: async () => REFUSED,
  refund: async () => REFUSED,
  find: async () => REFUSED,
  list: async () => REFUSED,
  makeCardToken: async () => null,
};
