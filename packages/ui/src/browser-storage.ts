/**
 * The browser's local or session storage. Browsers that block storage throw on access; an empty store in memory
 * takes its place, so that a guest can still pay.
 */
export function browserStorage(kind: 'localStorage' | 'sessionStorage'): TextStore {
  try {
    return window[kind];
  } catch {
    return inMemory[kind];
  }
}

/** The part of `Storage` that we use. */
export type TextStore = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

export function memoryStore(): TextStore {
  const items = new Map<string, string>();
  return {
    getItem: (key) => items.get(key) ?? null,
    setItem: (key, value) => void items.set(key, value),
    removeItem: (key) => void items.delete(key),
  };
}

const inMemory = { localStorage: memoryStore(), sessionStorage: memoryStore() };
