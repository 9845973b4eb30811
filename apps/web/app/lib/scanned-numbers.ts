import { browserStorage, type TextStore } from '@brightpane/ui/browser-storage';

const KEY = 'scanned-numbers';
const NAMES = ['franchiseNumber', 'workOrderNumber', 'zipCode'];

/**
 * Keeps, in this tab, the query of a `/guest-payment` that a signed-in person was led away from, or that somebody left
 * to sign in: it names the invoice they came for. A query without all three numbers is nothing.
 */
export function rememberScannedNumbers(
  search: string,
  store: TextStore = browserStorage('sessionStorage'),
): void {
  const query = new URLSearchParams(search);
  if (NAMES.every((name) => query.get(name)?.trim())) store.setItem(KEY, search);
}

/** The query, once. */
export function takeScannedNumbers(store: TextStore = browserStorage('sessionStorage')): string | null {
  const search = store.getItem(KEY);
  store.removeItem(KEY);
  return search;
}

export function forgetScannedNumbers(store: TextStore = browserStorage('sessionStorage')): void {
  store.removeItem(KEY);
}
