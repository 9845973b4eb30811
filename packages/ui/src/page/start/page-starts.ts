import { startTransition, useEffect } from 'react';
import { reportThrown } from '../../reporting/telemetry.ts';
import { useIsHydrated } from '../use-is-hydrated.ts';

/** The first, and two more for what passes by itself, such as a script of a version that was replaced meanwhile. */
const MOST_IN_VAIN = 3;

type Entry = Pick<History, 'state' | 'replaceState'>;

/**
 * Whether the page may start. The router loads the document again when a screen's script fails, which would go on for
 * ever where the script never comes. After some starts in vain the page stays as it came, with its `StalledNotice`.
 * The history entry keeps the count: a reload keeps the entry, and no browser blocks it, as some do storage.
 */
export function mayStart(entry: Entry = window.history): boolean {
  const inVain = Number(entry.state?.startsInVain ?? 0);
  const mayTry = inVain < MOST_IN_VAIN;
  entry.replaceState({ ...entry.state, startsInVain: mayTry ? inVain + 1 : 0 }, '');
  return mayTry;
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

/**
 * Whether the screen is alive; once it is, the starts before count no more, unless it leads on. For each component that
 * may be the root.
 */
export function useIsAlive(): boolean {
  useEffect(forgetStarts, []);
  return useIsHydrated();
}

let leadsOn = false;

/**
 * For a screen that leads on as soon as it is alive: the next one's script may be the one that fails. Call it in an effect
 * below the root, whose own effects run later.
 */
export function countStartsOn(): void {
  leadsOn = true;
}

/** Completed navigations drop the count by themselves: the router writes a state of its own. */
function forgetStarts(): void {
  const { history } = window;
  if (!leadsOn && history.state?.startsInVain) {
    history.replaceState({ ...history.state, startsInVain: 0 }, '');
  }
}
