import { browserStorage, type TextStore } from '@brightpane/ui/browser-storage';

const KEY = 'paid';

/** The payment's offer token and the payer from the billing form, so that nothing has to be typed again. */
export type GuestOffer = { token: string; payer: { firstName: string; lastName: string; email: string } };

/** The history state of the page after a payment. A payment without the right zip code has no offer. */
export type PaidState = { receipt: object; offer?: GuestOffer };

/**
 * Keeps the page after a payment in this tab: its payer may leave to sign in, and must read that it was paid even if
 * somebody has signed in in another tab meanwhile.
 */
export function keepPaidState(state: PaidState, store: TextStore = browserStorage('sessionStorage')): void {
  store.setItem(KEY, JSON.stringify(state));
}

export function readPaidState(store: TextStore = browserStorage('sessionStorage')): PaidState | null {
  try {
    return JSON.parse(store.getItem(KEY) ?? 'null');
  } catch {
    return null;
  }
}

export function forgetPaidState(store: TextStore = browserStorage('sessionStorage')): void {
  store.removeItem(KEY);
}
