import { browserStorage } from '@brightpane/ui/browser-storage';
import { clearSession, isLoggedIn } from './session.ts';

const KEY = 'session-ended';

/** Clears a session that the server no longer takes. This tab remembers it, so that signing in can say why. */
export function endSession(): void {
  if (isLoggedIn()) browserStorage('sessionStorage').setItem(KEY, 'yes');
  clearSession();
}

export function hasSessionEnded(): boolean {
  return browserStorage('sessionStorage').getItem(KEY) !== null;
}

export function forgetSessionEnd(): void {
  browserStorage('sessionStorage').removeItem(KEY);
}
