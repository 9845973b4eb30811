import { browserStorage, type TextStore } from '@brightpane/ui/browser-storage';
import { clearSession, isLoggedIn } from './session.ts';

const KEY = 'session-ended';

/** Clears a session that the server no longer takes. This tab remembers it, so that signing in can say why. */
export function endSession(store: TextStore = browserStorage('sessionStorage')): void {
  if (isLoggedIn()) store.setItem(KEY, 'yes');
  clearSession();
}

export function hasSessionEnded(store: TextStore = browserStorage('sessionStorage')): boolean {
  return store.getItem(KEY) !== null;
}

export function forgetSessionEnd(store: TextStore = browserStorage('sessionStorage')): void {
  store.removeItem(KEY);
}
