import { expect, test, vi } from 'vitest';
import { browserStorage, memoryStore } from './browser-storage.ts';

/** Keeps nothing more, as on a full disk. */
function fullStore() {
  const store = memoryStore();
  store.setItem('kept', 'before');
  return {
    ...store,
    setItem: () => {
      throw new DOMException('no room', 'QuotaExceededError');
    },
  };
}

function openIn(window: object) {
  vi.stubGlobal('window', window);
  return browserStorage('localStorage');
}

test('what the storage has no room for is kept while the page is open, in place of what it kept', () => {
  const localStorage = fullStore();
  openIn({ localStorage }).setItem('kept', 'now');
  openIn({ localStorage }).setItem('new', 'too');
  const storage = openIn({ localStorage });
  expect(storage.getItem('kept')).toBe('now');
  expect(storage.getItem('new')).toBe('too');
  expect(localStorage.getItem('kept')).toBeNull();
  storage.removeItem('kept');
  storage.removeItem('new');
  expect(storage.getItem('kept')).toBeNull();
  expect(storage.getItem('new')).toBeNull();
});

test('with room again, the storage has the last word', () => {
  openIn({ localStorage: fullStore() }).setItem('key', 'in memory');
  const localStorage = memoryStore();
  openIn({ localStorage }).setItem('key', 'stored');
  expect(localStorage.getItem('key')).toBe('stored');
  localStorage.setItem('key', 'by another tab');
  expect(openIn({ localStorage }).getItem('key')).toBe('by another tab');
});

test.each([
  [
    'is blocked',
    {
      get localStorage() {
        throw new DOMException('blocked', 'SecurityError');
      },
    },
  ],
  ['is null', { localStorage: null }],
])('where the storage %s, memory is used', (_, window) => {
  openIn(window).setItem('key', 'value');
  expect(openIn(window).getItem('key')).toBe('value');
  openIn(window).removeItem('key');
  expect(openIn(window).getItem('key')).toBeNull();
});
