import { startTransition, useEffect } from 'react';
import { browserStorage, type TextStore } from '../../browser-storage.ts';
import { reportThrown } from '../../reporting/telemetry.ts';
import { useIsHydrated } from '../use-is-hydrated.ts';

const KEY = 'page-starts';
/** The first, and two more for what passes by itself, such as a script of a version that was replaced meanwhile. */
const MOST_IN_VAIN = 3;

/**
 * Whether the page may start. The router loads the document again when a screen's script fails, which would go on for
 * ever where the script never comes. After some starts in vain the page stays as it came, with its `StalledNotice`.
 */
export function mayStart(store: TextStore = browserStorage('sessionStorage')): boolean {
  const inVain = Number(store.getItem(KEY));
  if (inVain < MOST_IN_VAIN) {
    store.setItem(KEY, String(inVain + 1));
    return true;
  }
  store.removeItem(KEY);
  return false;
}

/** Starts a page, if it may. */
export function startPage(start: () => void): void {
  if (mayStart()) {
    startTransition(start);
    return;
  }
  document.documentElement.dataset.stalled = '';
  reportThrown(new Error('A page reloaded itself in vain: one of its scripts is missing'));
}

/** Whether the screen is alive; once it is, the starts before count no more. For each component that may be the root. */
export function useIsAlive(): boolean {
  useEffect(() => browserStorage('sessionStorage').removeItem(KEY), []);
  return useIsHydrated();
}
