import { useSyncExternalStore } from 'react';

/**
 * Whether the script has taken over the page. A form that is sent before would leave the page and take what it holds
 * to an address that knows nothing of forms.
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
