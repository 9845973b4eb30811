import { memoryStore } from '@brightpane/ui/browser-storage';
import { describe, expect, test } from 'vitest';
import { clearSession, isLoggedIn, readSession, type Session, storeSession } from './session.ts';

const tokens = { accessToken: 'access', refreshToken: 'refresh', expiresIn: 600 };
const noon = new Date('2026-11-03T12:00:00Z');

describe('the session', () => {
  test('is kept under the three keys, with the end of the access token as an ISO time', () => {
    const store = memoryStore();
    storeSession(tokens, noon, store);
    expect(store.getItem('auth.token')).toBe('access');
    expect(store.getItem('auth.refreshToken')).toBe('refresh');
    expect(store.getItem('auth.tokenExpiration')).toBe('2026-11-03T12:10:00.000Z');
  });

  test('is read back as it was stored', () => {
    const store = memoryStore();
    storeSession(tokens, noon, store);
    expect(readSession(store)).toEqual({
      accessToken: 'access',
      refreshToken: 'refresh',
      tokenExpiration: new Date('2026-11-03T12:10:00Z'),
    });
  });

  test('shows its new refresh token to other tabs last, so that none of them spends it', () => {
    const store = memoryStore();
    storeSession({ ...tokens, refreshToken: 'before' }, new Date('2026-11-03T11:00:00Z'), store);
    const seen: Session[] = [];
    const watched = {
      ...store,
      setItem(name: string, value: string) {
        store.setItem(name, value);
        seen.push(readSession(store));
      },
    };
    storeSession(tokens, noon, watched);
    const runOut = seen.filter(({ tokenExpiration }) => tokenExpiration && tokenExpiration <= noon);
    expect(runOut.map(({ refreshToken }) => refreshToken)).toEqual(['before']);
  });

  test('is gone after it was cleared', () => {
    const store = memoryStore();
    storeSession(tokens, noon, store);
    clearSession(store);
    expect(readSession(store)).toEqual({ accessToken: null, refreshToken: null, tokenExpiration: null });
  });

  test('has no expiration where what is stored is no time', () => {
    const store = memoryStore();
    store.setItem('auth.tokenExpiration', 'soon');
    expect(readSession(store).tokenExpiration).toBeNull();
  });

  test('counts as logged in by its refresh token alone', () => {
    const store = memoryStore();
    store.setItem('auth.token', 'access');
    expect(isLoggedIn(store)).toBe(false);
    store.setItem('auth.refreshToken', 'refresh');
    expect(isLoggedIn(store)).toBe(true);
  });
});
