import { browserStorage, type TextStore } from '../browser-storage.ts';

/** More than a browser keeps of a tab's history. */
const MOST_KEPT = 100;

/** Whether this is asked for the first time under this name and history key. The store remembers that it was. */
export function isFirstTime(
  name: string,
  key: string,
  store: TextStore = browserStorage('sessionStorage'),
): boolean {
  const seen = (store.getItem(name) ?? '').split(' ');
  if (seen.includes(key)) return false;
  store.setItem(name, [...seen, key].slice(-MOST_KEPT).join(' '));
  return true;
}
