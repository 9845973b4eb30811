import { browserStorage, type TextStore } from '@brightpane/ui/browser-storage';

const KEY = 'registered-email';

/** Keeps in this tab the address that has just registered, for the page that says where the mail goes. */
export function keepRegisteredEmail(
  email: string,
  store: TextStore = browserStorage('sessionStorage'),
): void {
  store.setItem(KEY, email);
}

export function readRegisteredEmail(store: TextStore = browserStorage('sessionStorage')): string | null {
  return store.getItem(KEY);
}

export function forgetRegisteredEmail(store: TextStore = browserStorage('sessionStorage')): void {
  store.removeItem(KEY);
}
