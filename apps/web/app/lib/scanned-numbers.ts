import { browserStorage, type TextStore } from '@brightpane/ui/browser-storage';
import { keepOwnedText, takeOwnedText } from './session/owned-text.ts';
import { sessionUserId } from './session/session.ts';

const KEY = 'scanned-numbers';
const NAMES = ['franchiseNumber', 'workOrderNumber', 'zipCode'];

/**
 * Keeps in this tab the query of a `/guest-payment` that redirected a signed-in person, or that somebody left to
 * sign in: it names the invoice they came for. Ignores a query without all three numbers.
 */
export function rememberScannedNumbers(
  search: string,
  store: TextStore = browserStorage('sessionStorage'),
  userId: string | null = sessionUserId(),
): void {
  const query = new URLSearchParams(search);
  if (NAMES.every((name) => query.get(name)?.trim())) {
    keepOwnedText(KEY, search, { store, userId });
  }
}

/** Returns the query once, and not to another person than the one who scanned it. */
export function takeScannedNumbers(
  store: TextStore = browserStorage('sessionStorage'),
  userId: string | null = sessionUserId(),
): string | null {
  return takeOwnedText(KEY, { store, userId });
}

export function forgetScannedNumbers(store: TextStore = browserStorage('sessionStorage')): void {
  store.removeItem(KEY);
}
