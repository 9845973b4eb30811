import { useSyncExternalStore } from 'react';
import { env } from './env.ts';

export type Brand = { name: string; primary: string | null };

export const DEFAULT_BRAND: Brand = { name: 'Brightpane', primary: null };

const BRAND: Brand = env.brand ?? DEFAULT_BRAND;

/** The deployment's name and colour. Pages are prerendered under the default ones, so hydration has to begin with them. */
export function useBrand(): Brand {
  return useSyncExternalStore(
    neverChanges,
    () => BRAND,
    () => DEFAULT_BRAND,
  );
}

function neverChanges() {
  return () => {};
}
