import { browserStorage, type TextStore } from '@brightpane/ui/browser-storage';

const KEY = 'scanned-numbers';
const NAMES = ['franchiseNumber', 'workOrderNumber', 'zipCode'];

/**
 * Keeps in this tab the query of a `/guest-payment` that redirected a signed-in person, or that somebody left to
 * sign in: it names the invoice they came for. Ignores a query without all three numbers.
 */
export function rememberScannedNumbers(
  search: string,
  store: TextStore = browserStorage('sessionStorage'),
): void {
  const query = new URLSearchParams(search);
  if (NAMES.every((name) => query.get(name)?.trim())) store.setItem(KEY, search);
}

/** Returns the query once. */
export function takeScannedNumbers(store: TextStore = browserStorage('sessionStorage')): string | null {
  const search = store.getItem(KEY);
  store.removeItem(KEY);
  return search;
}

export function forgetScannedNumbers(store: TextStore = browserStorage('sessionStorage')): void {
  store.removeItem(KEY);
}
