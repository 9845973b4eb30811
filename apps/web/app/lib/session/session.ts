import type { Tokens } from '@brightpane/contract/customers/authentication';
import { browserStorage, type TextStore } from '@brightpane/ui/browser-storage';

/** What the browser keeps of a signed-in person. Every tab reads these three keys, also one with an older build. */
export type Session = {
  accessToken: string | null;
  refreshToken: string | null;
  /** When the access token ends; `null` where that is missing or cannot be read. */
  tokenExpiration: Date | null;
};

const ACCESS_TOKEN = 'auth.token';
const REFRESH_TOKEN = 'auth.refreshToken';
const TOKEN_EXPIRATION = 'auth.tokenExpiration';

const localStore = () => browserStorage('localStorage');

export function readSession(store: TextStore = localStore()): Session {
  const expiration = new Date(store.getItem(TOKEN_EXPIRATION) ?? '');
  return {
    accessToken: store.getItem(ACCESS_TOKEN) || null,
    refreshToken: store.getItem(REFRESH_TOKEN) || null,
    tokenExpiration: Number.isNaN(expiration.getTime()) ? null : expiration,
  };
}

/**
 * The refresh token is written last. Other tabs see the writes one by one, some a moment late: a tab that sees half of
 * them refreshes with the previous token, and the server gives it the same successor.
 */
export function storeSession(tokens: Tokens, now: Date = new Date(), store: TextStore = localStore()): void {
  store.setItem(ACCESS_TOKEN, tokens.accessToken);
  store.setItem(TOKEN_EXPIRATION, new Date(now.getTime() + tokens.expiresIn * 1000).toISOString());
  store.setItem(REFRESH_TOKEN, tokens.refreshToken);
}

export function clearSession(store: TextStore = localStore()): void {
  store.removeItem(ACCESS_TOKEN);
  store.removeItem(REFRESH_TOKEN);
  store.removeItem(TOKEN_EXPIRATION);
}

/** A stored refresh token means logged in: the access token may have expired and be renewed. */
export function isLoggedIn(store: TextStore = localStore()): boolean {
  return readSession(store).refreshToken !== null;
}
