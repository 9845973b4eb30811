import { browserStorage, type TextStore } from '@brightpane/ui/browser-storage';

const KEY = 'user';

/**
 * What this tab keeps for one signed-in person (drafts, payment keys), in one entry of session storage. It survives
 * an expired session; opening it drops what was kept for anybody else.
 */
export function userStore(userId: string, store: TextStore = browserStorage('sessionStorage')): TextStore {
  if (readKept(store)?.userId !== userId) forgetUserStore(store);
  const items = () => readKept(store)?.items ?? {};
  const keep = (changed: Record<string, string>) =>
    store.setItem(KEY, JSON.stringify({ userId, items: changed }));
  return {
    getItem: (key) => items()[key] ?? null,
    setItem: (key, value) => keep({ ...items(), [key]: value }),
    removeItem: (key) => {
      const { [key]: _, ...others } = items();
      keep(others);
    },
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
