/**
 * The browser's local or session storage. Some browsers block it, have none, or have no room left, as on a full phone.
 * Memory takes its place for what it doesn't keep, so that people can still pay, and read that they have.
 */
export function browserStorage(kind: 'localStorage' | 'sessionStorage'): TextStore {
  const memory = inMemory[kind];
  const store = reach(kind);
  if (!store) return memory;
  return {
    getItem: (key) => memory.getItem(key) ?? store.getItem(key),
    setItem(key, value) {
      memory.removeItem(key);
      try {
        store.setItem(key, value);
      } catch {
        // What it kept is out of date.
        store.removeItem(key);
        memory.setItem(key, value);
      }
    },
    removeItem(key) {
      memory.removeItem(key);
      store.removeItem(key);
    },
  };
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

/** Blocked storage throws on access; in some apps' own browsers it is null. */
function reach(kind: 'localStorage' | 'sessionStorage'): Storage | null {
  try {
    return window[kind];
  } catch {
    return null;
  }
}
