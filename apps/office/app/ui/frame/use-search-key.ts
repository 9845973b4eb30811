import { useLayoutEffect, useRef } from 'react';

/** Marks the screen's search field for the shortcut `/`. */
export const SEARCH_FIELD = 'data-search-field';

/** `/` outside of fields focuses the screen's search field; without one it calls `otherwise`. */
export function useSearchKey(isOn: boolean, otherwise: () => void): void {
  const go = useRef(otherwise);
  go.current = otherwise;
  // With what is drawn: the first key after it counts.
  useLayoutEffect(() => {
    if (!isOn) return;
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey) return;
      const target = event.target as Element | null;
      if (target?.closest('input, select, textarea, [contenteditable], dialog')) return;
      event.preventDefault();
      const field = document.querySelector<HTMLElement>(`[${SEARCH_FIELD}]`);
      if (field) field.focus();
      else go.current();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [isOn]);
}
