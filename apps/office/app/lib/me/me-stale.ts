/**
 * The signed-in person is loaded once. Whatever changes them counts here, and navigations load them again until one
 * has arrived: the next navigation drops a load that is still under way.
 */
let changes = 0;
let loaded = 0;

export function changedMe(): void {
  changes++;
}

export const isMeStale = (): boolean => changes !== loaded;

/** Call it before the person is loaded, and what it returns once they have arrived and are shown. */
export function meIsLoading(): () => void {
  const asOf = changes;
  return () => {
    loaded = asOf;
  };
}
