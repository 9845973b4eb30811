import { browserStorage, type TextStore } from '@brightpane/ui/browser-storage';
import { keepOwnedText, takeOwnedText } from './owned-text.ts';
import { sessionUserId } from './session.ts';

const KEY = 'return-path';

/** Keeps in this tab where to return after signing in. */
export function rememberReturnPath(
  path: string,
  store: TextStore = browserStorage('sessionStorage'),
  userId: string | null = sessionUserId(),
): void {
  keepOwnedText(KEY, path, { store, userId });
}

export function forgetReturnPath(store: TextStore = browserStorage('sessionStorage')): void {
  store.removeItem(KEY);
}

/**
 * The path that required signing in, once; default `/invoices`. Accepts only paths of this portal, and leads nobody to
 * another person's page.
 */
export function takeReturnPath(
  store: TextStore = browserStorage('sessionStorage'),
  userId: string | null = sessionUserId(),
): string {
  const path = takeOwnedText(KEY, { store, userId });
  return path !== null && /^\/(?![/\\])/.test(path) ? path : '/invoices';
}
