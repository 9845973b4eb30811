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

  test('is not touched by what was opened for the person before', () => {
    const tab = memoryStore();
    const rosas = userStore('rosa', tab);
    rosas.setItem('key', 'rosas');
    userStore('ben', tab).setItem('draft', 'bens');
    expect(rosas.getItem('draft')).toBeNull();
    rosas.setItem('key', 'rosas');
    rosas.removeItem('draft');
    expect(userStore('ben', tab).getItem('draft')).toBe('bens');
    expect(userStore('ben', tab).getItem('key')).toBeNull();
  });

  test('takes nothing more after log out from what was opened before', () => {
    const tab = memoryStore();
    const rosas = userStore('rosa', tab);
    rosas.setItem('key', 'rosas');
    forgetUserStore(tab);
    rosas.setItem('key', 'rosas');
    rosas.removeItem('other');
    expect(tab.getItem('user')).toBeNull();
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
