import type { Tokens } from '@brightpane/contract/customers/authentication';
import { browserStorage, type TextStore } from '@brightpane/ui/browser-storage';

/** A signed-in person's entries in local storage. Every tab reads these three keys, even one with an older build. */
export type Session = {
  accessToken: string | null;
  refreshToken: string | null;
  /** When the access token expires; `null` if missing or unreadable. */
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
 * Writes the refresh token last. Other tabs may see the writes one by one: a tab that sees only some of them refreshes
 * with the previous token, and the server gives it the same successor.
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

/** Whose session it is, by the access token; `null` if that can't be read. */
export function sessionUserId(store: TextStore = localStore()): string | null {
  return userIdOf(readSession(store).accessToken ?? '');
}

/** Whose token it is; `null` if it can't be read. Only the server's word gives access. */
export function userIdOf(accessToken: string): string | null {
  const [, claims = ''] = accessToken.split('.');
  try {
    const { sub } = JSON.parse(atob(claims.replaceAll('-', '+').replaceAll('_', '/')));
    return typeof sub === 'string' ? sub : null;
  } catch {
    return null;
  }
}

/** A stored refresh token means signed in: an expired access token can be renewed. */
export function isLoggedIn(store: TextStore = localStore()): boolean {
  return readSession(store).refreshToken !== null;
}
