import { memoryStore } from '@brightpane/ui/browser-storage';
import { describe, expect, test } from 'vitest';
import { forgetReturnPath, rememberReturnPath, takeReturnPath } from './return-path.ts';

describe('the path that signing in leads back to', () => {
  test('is the one that asked for the sign-in, once', () => {
    const store = memoryStore();
    rememberReturnPath('/payment-methods?from=x', store);
    expect(takeReturnPath(store)).toBe('/payment-methods?from=x');
    expect(takeReturnPath(store)).toBe('/invoices');
  });

  test('is /invoices after it was forgotten', () => {
    const store = memoryStore();
    rememberReturnPath('/payment-methods', store);
    forgetReturnPath(store);
    expect(takeReturnPath(store)).toBe('/invoices');
  });

  test('is nobody else’s, also after the session has ended', () => {
    const store = memoryStore();
    rememberReturnPath('/locations/5', store, 'ana');
    rememberReturnPath('/locations/5', store, null);
    expect(takeReturnPath(store, 'bo')).toBe('/invoices');
    rememberReturnPath('/locations/5', store, 'ana');
    rememberReturnPath('/locations/5', store, null);
    expect(takeReturnPath(store, 'ana')).toBe('/locations/5');
  });

  test('is anybody’s who signs in, if nobody was when it was opened', () => {
    const store = memoryStore();
    rememberReturnPath('/locations/5', store, 'ana');
    rememberReturnPath('/payments', store, null);
    expect(takeReturnPath(store, 'bo')).toBe('/payments');
  });

  test.each(['https://evil.example/', '//evil.example', '/\\evil.example', 'javascript:alert(1)', ''])(
    'is never %j',
    (path) => {
      const store = memoryStore();
      rememberReturnPath(path, store);
      expect(takeReturnPath(store)).toBe('/invoices');
    },
  );
});
