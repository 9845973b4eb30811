import { browserStorage, type TextStore } from '@brightpane/ui/browser-storage';
import { PAID_STATE } from '../auth/log-out.ts';
import type { GuestOffer } from '../quick-pay/guest-receipt.ts';

/** The history state of the page after a payment. A payment without the right zip code has no offer. */
export type PaidState = { offer?: GuestOffer; [key: string]: unknown };

/** Keeps the page of a payment with an offer in this tab, since its payer may leave to sign in. */
export function keepPaidState(state: PaidState, store: TextStore = browserStorage('sessionStorage')): void {
  if (state.offer) store.setItem(PAID_STATE, JSON.stringify(state));
  else store.removeItem(PAID_STATE);
}

export function readPaidState(store: TextStore = browserStorage('sessionStorage')): PaidState | null {
  try {
    return JSON.parse(store.getItem(PAID_STATE) ?? 'null');
  } catch {
    return null;
  }
}

export function forgetPaidState(store: TextStore = browserStorage('sessionStorage')): void {
  store.removeItem(PAID_STATE);
}
