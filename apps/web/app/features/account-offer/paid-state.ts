import { browserStorage, type TextStore } from '@brightpane/ui/browser-storage';
import { PAID_STATE } from '../auth/log-out.ts';
import type { GuestOffer } from '../quick-pay/guest-receipt.ts';

/** What the page after a payment finds in its history state; a payment without the zip code has no offer. */
export type PaidState = { offer?: GuestOffer; [key: string]: unknown };

/** Keeps, in this tab, the page of a payment that offers an account: its payer may have one and leave to sign in. */
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
