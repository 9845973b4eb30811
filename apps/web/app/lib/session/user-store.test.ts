import { memoryStore } from '@brightpane/ui/browser-storage';
import { describe, expect, test } from 'vitest';
import { forgetUserStore, userStore } from './user-store.ts';

describe('what a tab keeps for a person', () => {
  test('is found again under the same person and the same name', () => {
    const tab = memoryStore();
    userStore('rosa', tab).setItem('draft', 'half a payment');
    userStore('rosa', tab).setItem('key', 'abc');
    expect(userStore('rosa', tab).getItem('draft')).toBe('half a payment');
    expect(userStore('rosa', tab).getItem('key')).toBe('abc');
    expect(userStore('rosa', tab).getItem('other')).toBeNull();
  });

  test('can be removed by its name', () => {
    const tab = memoryStore();
    userStore('rosa', tab).setItem('draft', 'half a payment');
    userStore('rosa', tab).setItem('key', 'abc');
    userStore('rosa', tab).removeItem('draft');
    expect(userStore('rosa', tab).getItem('draft')).toBeNull();
    expect(userStore('rosa', tab).getItem('key')).toBe('abc');
  });

  test('is dropped when another person opens theirs', () => {
    const tab = memoryStore();
    userStore('rosa', tab).setItem('draft', 'half a payment');
    expect(userStore('ben', tab).getItem('draft')).toBeNull();
    expect(userStore('rosa', tab).getItem('draft')).toBeNull();
  });

  test('is gone after log out', () => {
    const tab = memoryStore();
    userStore('rosa', tab).setItem('draft', 'half a payment');
    forgetUserStore(tab);
    expect(userStore('rosa', tab).getItem('draft')).toBeNull();
  });

  test('is empty where what is stored cannot be read', () => {
    const tab = memoryStore();
    tab.setItem('user', '{');
    expect(userStore('rosa', tab).getItem('draft')).toBeNull();
  });
});
