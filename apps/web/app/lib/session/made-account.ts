import { browserStorage } from '@brightpane/ui/browser-storage';

const KEY = 'made-account';

/**
 * Keeps in this tab that it has made an account, whose address waits to be confirmed, and which address where a later
 * page says it. Signing up once more would start over, and drop a location that waits for the account.
 */
export function noteMadeAccount(email = ''): void {
  browserStorage('sessionStorage').setItem(KEY, email);
}

/** The address of the account that this tab has made, empty if it wasn't kept; `null` if it has made none. */
export function readMadeAccount(): string | null {
  return browserStorage('sessionStorage').getItem(KEY);
}

export function forgetMadeAccount(): void {
  browserStorage('sessionStorage').removeItem(KEY);
}
