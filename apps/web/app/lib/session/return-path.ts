import { browserStorage, type TextStore } from '@brightpane/ui/browser-storage';

const KEY = 'return-path';

/** Keeps in this tab where to return after signing in. */
export function rememberReturnPath(path: string, store: TextStore = browserStorage('sessionStorage')): void {
  store.setItem(KEY, path);
}

export function forgetReturnPath(store: TextStore = browserStorage('sessionStorage')): void {
  store.removeItem(KEY);
}

/** The path that required signing in, once; default `/invoices`. Accepts only paths of this portal. */
export function takeReturnPath(store: TextStore = browserStorage('sessionStorage')): string {
  const path = store.getItem(KEY);
  store.removeItem(KEY);
  return path !== null && /^\/(?![/\\])/.test(path) ? path : '/invoices';
}
