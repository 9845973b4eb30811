import { browserStorage, type TextStore } from '@brightpane/ui/browser-storage';
import { randomKey } from '@brightpane/ui/forms/idempotency-key';

const KEY = 'paid';

/** The payment's offer token and the payer from the billing form, so that nothing has to be typed again. */
export type GuestOffer = { token: string; payer: { firstName: string; lastName: string; email: string } };

/** What the page after a payment says. A payment without the right zip code has no offer. */
export type PaidState = { receipt: object; offer?: GuestOffer };

/** All that the history entry of that page carries: whoever goes back to it must not read more than the tab keeps. */
export type PaidMark = { paid: string };

/**
 * Keeps the page after a payment in this tab: its payer may leave to sign in, and must read that it was paid even if
 * somebody has signed in in another tab meanwhile. What was kept before goes.
 */
export function keepPaidState(
  state: PaidState,
  store: TextStore = browserStorage('sessionStorage'),
): PaidMark {
  const paid = randomKey();
  store.setItem(KEY, JSON.stringify({ ...state, paid }));
  return { paid };
}

/** What is kept; with a history entry that has a mark, only if it is of that payment. */
export function readPaidState(
  left: unknown = null,
  store: TextStore = browserStorage('sessionStorage'),
): PaidState | null {
  try {
    const kept: (PaidState & Partial<PaidMark>) | null = JSON.parse(store.getItem(KEY) ?? 'null');
    const asked = (left as Partial<PaidMark> | null)?.paid;
    return asked === undefined || asked === kept?.paid ? kept : null;
  } catch {
    return null;
  }
}

export function forgetPaidState(store: TextStore = browserStorage('sessionStorage')): void {
  store.removeItem(KEY);
}

/** The offer has made an account, or is over: keeps what was paid, without the offer and its payer. */
export function forgetOffer(store: TextStore = browserStorage('sessionStorage')): void {
  const kept = readPaidState(null, store);
  if (kept === null) return;
  const { offer, ...others } = kept;
  store.setItem(KEY, JSON.stringify(others));
}
