/** The signed-in person is loaded once. Whatever changes them sets this, and the next navigation loads them again. */
let isStale = false;

export function changedMe(): void {
  isStale = true;
}

/** Doesn't reset the flag: the router may ask more than once before it loads. */
export const isMeStale = (): boolean => isStale;

export function meIsLoading(): void {
  isStale = false;
}
