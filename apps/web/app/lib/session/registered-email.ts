import { browserStorage } from '@brightpane/ui/browser-storage';

const KEY = 'registered-email';

/** Keeps in this tab the address that has just registered, for the page that says where the mail goes. */
export function keepRegisteredEmail(email: string): void {
  browserStorage('sessionStorage').setItem(KEY, email);
}

export function readRegisteredEmail(): string | null {
  return browserStorage('sessionStorage').getItem(KEY);
}

export function forgetRegisteredEmail(): void {
  browserStorage('sessionStorage').removeItem(KEY);
}
