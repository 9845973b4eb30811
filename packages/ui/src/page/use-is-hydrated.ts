import { useSyncExternalStore } from 'react';

/**
 * Whether JavaScript has taken over the page. A form sent before that would leave the page and post its
 * content to a URL that doesn't handle forms.
 */
export function useIsHydrated(): boolean {
  return useSyncExternalStore(
    neverChanges,
    () => true,
    () => false,
  );
}

function neverChanges() {
  return () => {};
}
