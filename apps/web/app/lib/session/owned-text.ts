import type { TextStore } from '@brightpane/ui/browser-storage';

/**
 * Keeps a text in this tab's storage for the signed-in person, whoever else signs in here next. A text that nobody
 * owns goes to whoever signs in. Keeping the same text after the session has ended doesn't change its owner.
 */
export function keepOwnedText(
  key: string,
  text: string,
  { store, userId }: { store: TextStore; userId: string | null },
): void {
  const kept = readOwned(key, store);
  const owner = userId ?? (kept?.text === text ? kept.owner : null);
  store.setItem(key, JSON.stringify({ text, owner }));
}

/** Returns the text once, and only to its owner. */
export function takeOwnedText(
  key: string,
  { store, userId }: { store: TextStore; userId: string | null },
): string | null {
  const kept = readOwned(key, store);
  store.removeItem(key);
  return kept !== null && (kept.owner === null || kept.owner === userId) ? kept.text : null;
}

function readOwned(key: string, store: TextStore): { text: string; owner: string | null } | null {
  try {
    return JSON.parse(store.getItem(key) ?? 'null');
  } catch {
    return null;
  }
}
