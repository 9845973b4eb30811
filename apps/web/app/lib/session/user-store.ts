import { browserStorage, type TextStore } from '@brightpane/ui/browser-storage';

const KEY = 'user';

/**
 * What this tab keeps for one signed-in person (drafts, payment keys), in one entry of session storage. It survives
 * an expired session; opening it drops what was kept for anybody else. What is still open then, or after log out,
 * reads and writes nothing.
 */
export function userStore(userId: string, store: TextStore = browserStorage('sessionStorage')): TextStore {
  const items = () => {
    const kept = readKept(store);
    return kept?.userId === userId ? kept.items : null;
  };
  const keep = (changed: Record<string, string | undefined>) =>
    store.setItem(KEY, JSON.stringify({ userId, items: changed }));
  const change = (key: string, value?: string) => {
    const kept = items();
    if (kept) keep({ ...kept, [key]: value });
  };
  if (items() === null) keep({});
  return {
    getItem: (key) => items()?.[key] ?? null,
    setItem: change,
    removeItem: (key) => change(key),
  };
}

/** Signing out deletes everything kept for the person. */
export function forgetUserStore(store: TextStore = browserStorage('sessionStorage')): void {
  store.removeItem(KEY);
}

function readKept(store: TextStore): { userId: string; items: Record<string, string> } | null {
  try {
    return JSON.parse(store.getItem(KEY) ?? 'null');
  } catch {
    return null;
  }
}
