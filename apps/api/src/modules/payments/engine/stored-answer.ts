import type { GuestSaleAnswer, PortalSaleAnswer } from '@brightpane/contract/payments';
import type { Problem } from '@brightpane/contract/problem';

/** What a payer was told, kept with the payment in the commit that decided it, and told again to the same key. */
export type StoredAnswer = {
  status: number;
  body: GuestSaleAnswer | PortalSaleAnswer | Problem | Record<string, never>;
};
